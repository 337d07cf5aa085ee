#include "core/http/wire/reconciliation/deposit_json.hpp"

#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/reconciliation/match_json.hpp"
#include "core/http/wire/reconciliation/reconciliation_json.hpp"

namespace tideover::wire {
namespace {

/// The members of the object that depend on the deposit only.
void put_money(json::Writer& out, const domain::Deposit& deposit) {
  out.key("deposit_id").string(deposit.id.text());
  out.key("status").string(name_of(deposit.status));
  out.key("payer_id").string(deposit.payer_id);
  out.key("amount").cents(deposit.amount.cents());
  out.key("matched_amount").cents(deposit.matched_amount.cents());
  out.key("received_date").string(format_date(deposit.received_date));
  if (deposit.effective_date) out.key("effective_date").string(format_date(*deposit.effective_date));
  if (!deposit.trace_number.empty()) out.key("trace_number").string(deposit.trace_number);
  if (!deposit.originator.empty()) out.key("originator").string(deposit.originator);
  if (deposit.pooled_into) out.key("pooled_into").string(deposit.pooled_into->text());
  if (!deposit.external_id.empty()) out.key("external_id").string(deposit.external_id);
  if (!deposit.returned_date) return;
  out.key("returned_date").string(format_date(*deposit.returned_date));
  out.key("return_reason").string(deposit.return_reason);
}

}  // namespace

domain::Deposit decode_deposit(const json::Value& body, Faults& faults) {
  domain::Deposit deposit;
  ObjectReader in(body, "", faults);
  deposit.payer_id = in.required_text("payer_id", 80);
  deposit.amount = in.required(in.money("amount"), "amount");
  if (deposit.amount.is_zero() && in.value().find("amount")) in.fault("amount", "must be above 0");
  deposit.received_date = in.required(in.date("received_date"), "received_date");
  deposit.effective_date = in.date("effective_date");
  deposit.trace_number = in.short_text("trace_number", 50).value_or("");
  deposit.external_id = in.short_text("external_id", 128).value_or("");
  deposit.addenda = in.short_text("addenda", 500).value_or("");
  deposit.originator = in.short_text("originator", 80).value_or("");
  in.finish();
  return deposit;
}

usecases::DepositReturn decode_deposit_return(const json::Value& body, Faults& faults) {
  usecases::DepositReturn returned;
  ObjectReader in(body, "", faults);
  returned.returned_date = in.required(in.date("returned_date"), "returned_date");
  returned.reason = in.required_text("reason", 80);
  in.finish();
  return returned;
}

std::string encode_deposit(const usecases::PostedDeposit& posted) {
  std::string body;
  json::Writer out(body);
  put_deposit(out, posted);
  return body;
}

void put_deposit(json::Writer& out, const usecases::PostedDeposit& posted) {
  out.begin_object();
  put_money(out, posted.deposit);
  if (!posted.posting.empty()) out.key("posting").string("in_progress");
  put_records(out, posted.records);
  out.key("created_at").string(format_timestamp(posted.deposit.created_at));
  out.end_object();
}

std::string encode_deposit_view(const usecases::DepositView& view, bool explain) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  put_money(out, view.deposit);
  if (view.is_posting) out.key("posting").string("in_progress");
  put_matches(out, view.deposit.id.text(), view.trail);
  put_records(out, view.records);
  if (explain) put_trail(out, view.trail);
  out.key("created_at").string(format_timestamp(view.deposit.created_at));
  out.end_object();
  return body;
}

std::string encode_deposits(const std::vector<domain::Deposit>& deposits, const PageFrame& page) {
  const auto put = [](json::Writer& out, const domain::Deposit& deposit) {
    out.begin_object();
    put_money(out, deposit);
    out.key("created_at").string(format_timestamp(deposit.created_at));
    out.end_object();
  };
  return encode_list(deposits, page, put, [](const domain::Deposit& deposit) { return deposit.id.text(); });
}

}  // namespace tideover::wire
