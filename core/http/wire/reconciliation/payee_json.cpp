#include "core/http/wire/reconciliation/payee_json.hpp"

#include "core/http/wire/basics/list_json.hpp"

namespace tideover::wire {
namespace {

void put_payable(json::Writer& out, const domain::Payable& payable) {
  out.begin_object();
  out.key("amount").cents(payable.amount.cents());
  if (!payable.payer_id.empty()) out.key("payer_id").string(payable.payer_id);
  if (payable.settlement) out.key("settlement_id").string(payable.settlement->text());
  out.key("cause").begin_object();
  out.key("kind").string(payable.cause_kind);
  out.key("id").string(payable.cause_id);
  out.end_object();
  out.key("posted_at").string(format_timestamp(payable.at));
  out.end_object();
}

}  // namespace

std::string encode_payee(const usecases::PayeeView& payee) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("payee_npi").string(payee.payee_npi);
  out.key("amount_due").cents(payee.due.cents());
  out.key("reserve").cents(payee.reserve.cents());
  out.key("account").begin_object();
  out.key("source").string(payee.has_own_account ? "payee" : payee.has_account ? "default" : "none");
  out.key("rail").string(payee.rail);
  if (payee.account_updated_at) out.key("updated_at").string(format_timestamp(*payee.account_updated_at));
  out.end_object();
  out.key("payout_status").string(name_of(payee.payout_status));
  out.end_object();
  return body;
}

usecases::NewPayeeAccount decode_payee_account(const json::Value& body, Faults& faults) {
  usecases::NewPayeeAccount account;
  ObjectReader in(body, "", faults);
  const auto token = in.short_text("payout_account_token", 255);
  if (!token || token->empty()) in.fault("payout_account_token", "required");
  account.payout_account_token = domain::Sensitive(token.value_or(""));
  account.rail = in.short_text("rail", 64).value_or("");
  in.finish();
  return account;
}

std::string encode_practice_payouts(const std::vector<domain::DisbursementAttempt>& payouts, const PageFrame& page,
                                    const IsSimulated& is_simulated) {
  return encode_list(
      payouts, page,
      [&](json::Writer& out, const domain::DisbursementAttempt& payout) {
        out.begin_object();
        put_payout(out, payout, is_simulated(payout.rail));
        out.end_object();
      },
      [](const domain::DisbursementAttempt& payout) { return payout.id.text(); });
}

std::string encode_practice_payout(const usecases::PayoutView& payout, const PageFrame& page, bool is_simulated) {
  return encode_list(payout.payables, page, put_payable, usecases::cursor_behind,
                     [&](json::Writer& out) { put_payout(out, payout.attempt, is_simulated); });
}

}  // namespace tideover::wire
