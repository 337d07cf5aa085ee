#include "core/http/wire/reconciliation/reconciliation_json.hpp"

#include "core/http/wire/reconciliation/match_json.hpp"
#include "core/http/wire/reconciliation/recourse_json.hpp"

namespace tideover::wire {
namespace {

void put_record(json::Writer& out, const domain::ReconciliationRecord& record) {
  out.begin_object();
  out.key("id").string(record.id.text());
  out.key("settlement_id").string(record.settlement.text());
  out.key("number").number(record.number);
  out.key("payer_payment").cents(record.payer_payment.cents());
  out.key("fee_collected").cents(record.split.fee.cents());
  out.key("final_status").string(name_of(record.split.status));
  out.key("advance_recovered").cents(record.split.recovered.cents());
  out.key("residual_released").cents(record.split.residual.cents());
  out.key("shortfall_absorbed").cents(record.split.absorbed.cents());
  out.key("matched_by").string(record.matched_by);
  if (record.deposit) out.key("deposit_id").string(record.deposit->text());
  if (record.remittance) out.key("remittance_id").string(record.remittance->text());
  if (!record.trace_number.empty()) out.key("trace_number").string(record.trace_number);
  out.key("posted_at").string(format_timestamp(record.posted_at));
  out.end_object();
}

void put_announced(json::Writer& out, const std::vector<domain::AnnouncedPayment>& all) {
  out.key("announced").begin_array();
  for (const auto& announced : all) {
    out.begin_object();
    out.key("remittance_id").string(announced.remittance.text());
    out.key("claim_index").number(announced.claim);
    out.key("status").string(announced.status);
    out.key("payer_payment").cents(announced.payer_payment.cents());
    out.key("charge_amount").cents(announced.charge.cents());
    if (!announced.trace_number.empty()) out.key("trace_number").string(announced.trace_number);
    if (announced.payment_date) out.key("payment_date").string(format_date(*announced.payment_date));
    if (announced.deposit) out.key("deposit_id").string(announced.deposit->text());
    out.key("received_at").string(format_timestamp(announced.received_at));
    out.end_object();
  }
  out.end_array();
}

}  // namespace

void put_records(json::Writer& out, const std::vector<domain::ReconciliationRecord>& records) {
  out.key("records").begin_array();
  for (const auto& record : records) put_record(out, record);
  out.end_array();
}

std::string encode_reconciliation(const domain::Reconciliation& whole, const IsSimulated& is_simulated,
                                  const std::vector<domain::MatchCandidate>* trail) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  if (!whole.records.empty()) out.key("id").string(whole.records.back().id.text());
  out.key("settlement_id").string(whole.settlement.text());
  out.key("payer_payment").cents(whole.payer_payment.cents());
  out.key("fee_collected").cents(whole.fee_collected.cents());
  out.key("final_status").string(whole.is_funded ? name_of(whole.status) : "not_funded");
  out.key("expected_payment").cents(whole.expected_payment.cents());
  out.key("advance_recovered").cents(whole.advance_recovered.cents());
  out.key("fee_estimated").cents(whole.fee_estimated.cents());
  out.key("residual_released").cents(whole.residual_released.cents());
  out.key("residual_paid_out").cents(whole.residual_paid_out.cents());
  if (!whole.residual_held.is_zero()) out.key("residual_held").cents(whole.residual_held.cents());
  out.key("residual_due").cents(whole.residual_due.cents());
  out.key("shortfall_absorbed").cents(whole.shortfall_absorbed.cents());
  out.key("variance").cents(whole.variance.cents());
  out.key("matched_by");
  if (whole.matched_by.empty())
    out.null();
  else
    out.string(whole.matched_by);
  put_announced(out, whole.announced);
  put_records(out, whole.records);
  put_payouts(out, whole.payouts, is_simulated);
  put_recourse(out, whole.recourse);
  if (trail) put_trail(out, *trail);
  out.key("updated_at").string(format_timestamp(whole.updated_at));
  out.end_object();
  return body;
}

}  // namespace tideover::wire
