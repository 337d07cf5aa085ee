// The waterfall (contract section 7): principal, then fee, then the residual to the provider. Non-recourse: a shortfall
// is the funder's loss and never a debit of the provider.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/date.hpp"
#include "core/domain/id.hpp"
#include "core/domain/money.hpp"

namespace tideover::domain {

enum class FinalStatus { pending, partial, settled, settled_short, settled_over, denied, reversed, written_off };
std::string_view name_of(FinalStatus status);
std::optional<FinalStatus> final_status_named(std::string_view name);

struct Waterfall {
  Money recovered;  // principal returned to the funder
  Money fee;
  Money residual;   // to the provider
  Money absorbed;   // principal and fee that will not come
  Money principal_loss;  // the booked part of `absorbed`
  FinalStatus status = FinalStatus::pending;
};

/// What a final payer payment does to an advance. `payment` >= 0; `denied` when the payer said so (CLP02 = 4): a payment
/// of zero alone proves nothing.
/// Shape: recovered + fee + residual = payment; recovered + principal_loss = advance.
Waterfall run_waterfall(Money payment, Money advance, Money fee_estimate, Money expected, bool denied);

/// The spec's Reconciliation record and what we add to it.
struct ReconciliationRecord {
  ReconciliationId id;
  SettlementId settlement;
  Money payer_payment;
  Waterfall split;
  std::string matched_by;  // trace_number | claim_identifier | amount_and_date
  std::optional<DepositId> deposit;
  std::optional<RemittanceId> remittance;
  std::string trace_number;
  Timestamp posted_at;
};

/// A settlement's whole reconciliation (GET .../reconciliation).
struct Reconciliation {
  SettlementId settlement;
  FinalStatus status = FinalStatus::pending;
  Money expected_payment;
  Money payer_payment;
  Money advance_recovered;
  Money fee_estimated;
  Money fee_collected;
  Money residual_released;
  Money shortfall_absorbed;
  Money variance;  // payer_payment - expected_payment
  std::string matched_by;
  std::vector<ReconciliationRecord> records;  // oldest first
  Timestamp updated_at;
};

Reconciliation summarise(const SettlementId& settlement, Money expected, Money fee_estimate, Timestamp since,
                         std::vector<ReconciliationRecord> records);

}  // namespace tideover::domain
