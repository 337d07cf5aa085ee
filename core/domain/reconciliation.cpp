#include "core/domain/reconciliation.hpp"

#include <algorithm>
#include <array>

namespace tideover::domain {
namespace {
constexpr std::array<std::string_view, 8> kNames{"pending", "partial",  "settled",  "settled_short", "settled_over",
                                                 "denied",  "reversed", "written_off"};
}

std::string_view name_of(FinalStatus status) { return kNames[static_cast<std::size_t>(status)]; }

std::optional<FinalStatus> final_status_named(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<FinalStatus>(i);
  return std::nullopt;
}

Waterfall run_waterfall(Money payment, Money advance, Money fee_estimate, Money expected, bool denied) {
  Waterfall split;
  split.recovered = std::min(payment, advance);
  split.fee = std::min(payment - split.recovered, fee_estimate);
  split.residual = payment - split.recovered - split.fee;
  split.principal_loss = advance - split.recovered;
  split.absorbed = split.principal_loss + (fee_estimate - split.fee);
  if (denied && payment.is_zero())
    split.status = FinalStatus::denied;
  else if (!split.absorbed.is_zero())
    split.status = FinalStatus::settled_short;
  else
    split.status = payment > expected ? FinalStatus::settled_over : FinalStatus::settled;
  return split;
}

Reconciliation summarise(const SettlementId& settlement, Money expected, Money fee_estimate, Timestamp since,
                         std::vector<ReconciliationRecord> records) {
  Reconciliation whole;
  whole.settlement = settlement;
  whole.expected_payment = expected;
  whole.fee_estimated = fee_estimate;
  whole.updated_at = since;
  for (const auto& record : records) {
    whole.payer_payment += record.payer_payment;
    whole.advance_recovered += record.split.recovered;
    whole.fee_collected += record.split.fee;
    whole.residual_released += record.split.residual;
    whole.shortfall_absorbed += record.split.absorbed;
    whole.status = record.split.status;
    whole.matched_by = record.matched_by;
    whole.updated_at = record.posted_at;
  }
  if (!records.empty()) whole.variance = whole.payer_payment - expected;
  whole.records = std::move(records);
  return whole;
}

}  // namespace tideover::domain
