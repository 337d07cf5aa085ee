#include "core/http/wire/ledger/ledger_json.hpp"

#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {

std::string encode_entries(const std::vector<domain::LedgerTransaction>& transactions, const PageFrame& page) {
  return encode_list(
      transactions, page,
      [](json::Writer& out, const domain::LedgerTransaction& transaction) {
        out.begin_object();
        out.key("id").string(transaction.id.text());
        out.key("phase").string(name_of(transaction.phase));
        if (transaction.resolves) out.key("resolves").string(transaction.resolves->text());
        out.key("cause").begin_object();
        out.key("kind").string(transaction.cause_kind);
        out.key("id").string(transaction.cause_id);
        out.end_object();
        if (transaction.settlement) out.key("settlement_id").string(transaction.settlement->text());
        out.key("at").string(format_timestamp(transaction.at));
        out.key("effective_on").string(format_date(transaction.effective_on));
        if (transaction.occurred_on) out.key("occurred_on").string(format_date(*transaction.occurred_on));
        out.key("entries").begin_array();
        for (const auto& entry : transaction.entries) {
          out.begin_object();
          out.key("account").string(entry.account);
          out.key("amount").cents(entry.amount.cents());
          if (!entry.party.payer_id.empty()) out.key("payer_id").string(entry.party.payer_id);
          if (!entry.party.payee_npi.empty()) out.key("payee_npi").string(entry.party.payee_npi);
          out.end_object();
        }
        out.end_array();
        out.end_object();
      },
      [](const domain::LedgerTransaction& transaction) { return transaction.id.text(); });
}

namespace {

/// Before every NPI.
constexpr const char* kUnknownPayee = "-";

void put_amounts(json::Writer& out, const domain::PayeeAmounts& amounts) {
  out.key("owed").cents(amounts.owed.cents());
  out.key("sending").cents(amounts.sending.cents());
  out.key("carried").cents(amounts.carried.cents());
}

void put_payee(json::Writer& out, const domain::PayeeBalance& payee) {
  domain::PayeeAmounts whole;
  for (const auto& amounts : payee.payers) {
    whole.owed += amounts.owed;
    whole.sending += amounts.sending;
    whole.carried += amounts.carried;
  }
  out.begin_object();
  if (!payee.payee_npi.empty()) out.key("payee_npi").string(payee.payee_npi);
  put_amounts(out, whole);
  out.key("payers").begin_array();
  for (const auto& amounts : payee.payers) {
    out.begin_object();
    if (!amounts.payer_id.empty()) out.key("payer_id").string(amounts.payer_id);
    put_amounts(out, amounts);
    out.end_object();
  }
  out.end_array();
  out.end_object();
}

void put_ages(json::Writer& out, const domain::PayerAging& ages) {
  const auto put = [&](std::string_view name, const domain::AgingCell& cell) {
    out.key(name).begin_object();
    out.key("count").number(cell.count);
    out.key("amount").cents(cell.amount.cents());
    out.end_object();
  };
  out.key("buckets").begin_object();
  for (std::size_t i = 0; i < ages.buckets.size(); ++i) put(domain::kAgingNames[i], ages.buckets[i]);
  out.end_object();
  put("total", ages.total);
}

}  // namespace

std::string encode_payees(const std::vector<domain::PayeeBalance>& payees, const PageFrame& page) {
  return encode_list(payees, page, put_payee, [](const domain::PayeeBalance& payee) {
    return payee.payee_npi.empty() ? std::string(kUnknownPayee) : payee.payee_npi;
  });
}

std::string encode_aging(const domain::Aging& aging) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("as_of").string(format_date(aging.as_of));
  out.key("currency").string("USD");
  put_ages(out, aging.whole);
  out.key("ledger_balance").cents(aging.ledger_balance.cents());
  out.key("payers").begin_array();
  for (const auto& payer : aging.payers) {
    out.begin_object();
    out.key("payer_id").string(payer.payer_id);
    put_ages(out, payer);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return body;
}

}  // namespace tideover::wire
