#include "core/http/wire/reconciliation/payout_json.hpp"

#include "core/usecases/funding/book_outcome.hpp"

namespace tideover::wire {
namespace {

void put_lasting(json::Writer& out, const domain::DisbursementAttempt& payout) {
  out.key("transfer_id").string(payout.id.text());
  if (payout.subject.settlement.empty())
    out.key("payee_npi").string(payout.subject.payee_npi);
  else
    out.key("settlement_id").string(payout.subject.settlement.text());
  out.key("amount").cents(payout.amount.cents());
  out.key("rail").string(payout.rail);
  out.key("effective_date").string(format_date(payout.effective_date));
  out.key("created_at").string(format_timestamp(payout.created_at));
}

}  // namespace

std::string encode_payout(const domain::DisbursementAttempt& payout, bool is_simulated) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  put_lasting(out, payout);
  if (is_simulated) out.key("simulated").boolean(true);
  out.end_object();
  return body;
}

void put_payout(json::Writer& out, const domain::DisbursementAttempt& payout, bool is_simulated) {
  put_lasting(out, payout);
  out.key("status").string(name_of(usecases::funding_status_of(payout.state)));
  if (!payout.reason_code.empty()) out.key("code").string(payout.reason_code);
  if (!payout.reason.empty()) out.key("reason").string(payout.reason);
  out.key("updated_at").string(format_timestamp(payout.updated_at));
  if (is_simulated) out.key("simulated").boolean(true);
}

void put_payouts(json::Writer& out, const std::vector<domain::DisbursementAttempt>& payouts,
                 const IsSimulated& is_simulated) {
  out.key("payouts").begin_array();
  for (const auto& payout : payouts) {
    out.begin_object();
    put_payout(out, payout, is_simulated(payout.rail));
    out.end_object();
  }
  out.end_array();
}

}  // namespace tideover::wire
