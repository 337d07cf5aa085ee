#include "core/domain/payouts/advice.hpp"

#include <algorithm>
#include <array>

namespace tideover::domain {
namespace {

constexpr std::array<std::string_view, 8> kAdviceKindNames{
    "advanced_claim", "claim", "provider_adjustment", "settlement_payout", "returned_payout", "carried_forward",
    "recourse",       "other"};
constexpr const char* kReversalStatus = "22";  // CLP02
constexpr const char* kPrimaryStatus = "1";
constexpr const char* kOverpaymentCode = "WO";  // PLB03-1
constexpr const char* kAdjustmentCode = "CS";

Money sum_of(const std::vector<Adjustment>& adjustments) {
  Money sum;
  for (const auto& adjustment : adjustments) sum += adjustment.amount;
  return sum;
}

bool are_named(const std::vector<Adjustment>& adjustments) {
  return std::none_of(adjustments.begin(), adjustments.end(),
                      [](const auto& one) { return one.group.empty() || one.code.empty(); });
}

void negate(std::vector<Adjustment>& adjustments) {
  for (auto& adjustment : adjustments) adjustment.amount = -adjustment.amount;
}

RemittanceClaim reversed(RemittanceClaim claim) {
  claim.charge_amount = -claim.charge_amount;
  claim.paid_amount = -claim.paid_amount;
  claim.patient_responsibility.reset();
  negate(claim.adjustments);
  for (auto& line : claim.lines) {
    line.charge_amount = -line.charge_amount;
    line.paid_amount = -line.paid_amount;
    line.allowed_amount.reset();
    negate(line.adjustments);
  }
  return claim;
}

}  // namespace

std::string_view name_of(AdviceKind kind) {
  return kAdviceKindNames[static_cast<std::size_t>(kind)];
}

void AdviceTotals::add(const AdviceLine& line) {
  payer_payment += line.payer_payment;
  advance_recovered += line.advance_recovered;
  fee += line.fee;
  adjustment += line.adjustment;
  amount += line.amount();
}

bool is_consistent(const RemittanceClaim& claim) {
  if (!are_named(claim.adjustments)) return false;
  const Money of_claim = sum_of(claim.adjustments);
  Money of_lines, paid;
  for (const auto& line : claim.lines) {
    const Money own = sum_of(line.adjustments);
    if (line.cpt.empty() || !are_named(line.adjustments) || line.charge_amount - own != line.paid_amount) return false;
    of_lines += own;
    paid += line.paid_amount;
  }
  return claim.charge_amount - of_claim - of_lines == claim.paid_amount &&
         (claim.lines.empty() || paid - of_claim == claim.paid_amount);
}

RemittanceClaim reported_claim(const RemittanceClaim& decided, Money paid, bool is_undone) {
  RemittanceClaim claim = is_undone ? reversed(decided) : decided;
  if (paid < Money{})
    claim.status = kReversalStatus;
  else if (claim.status.empty() || claim.status == kReversalStatus)
    claim.status = kPrimaryStatus;
  if (claim.paid_amount == paid && is_consistent(claim)) return claim;
  // An adjustment that the payer did not make would tell the practice to write off or to bill the patient.
  claim.charge_amount = claim.paid_amount = paid;
  claim.patient_responsibility.reset();
  claim.adjustments.clear();
  claim.lines.clear();
  return claim;
}

std::vector<ReconciliationRecord> records_paid_with(const std::vector<ReconciliationRecord>& records,
                                                    const std::string& id) {
  std::vector<ReconciliationRecord> paid;
  for (const auto& record : records) {
    if (record.id.text() == id) {
      paid.push_back(record);
      return paid;
    }
    if (!record.split.residual.is_zero())
      paid.clear();  // the payable of this record paid those before it
    else if (!record.payer_payment.is_zero() || !record.split.recovered.is_zero() || !record.split.fee.is_zero())
      paid.push_back(record);
  }
  return {};
}

AdviceLine advice_of(const ReconciliationRecord& record, const std::string& claim_identifier,
                     const RemittanceClaim* decided) {
  AdviceLine line;
  line.kind = AdviceKind::advanced_claim;
  line.settlement = record.settlement;
  line.remittance = record.remittance;
  line.trace_number = record.trace_number;
  line.claim_identifier = claim_identifier;
  line.payer_payment = record.payer_payment;
  line.advance_recovered = record.split.recovered;
  line.fee = record.split.fee;
  line.adjustment = record.split.residual - line.amount();
  if (!record.payer_payment.is_zero()) {
    RemittanceClaim unknown;
    unknown.claim_identifier = claim_identifier;
    line.claim = reported_claim(decided ? *decided : unknown, record.payer_payment, false);
  }
  return line;
}

std::optional<std::vector<AllocationRow>> rows_paid_with(const std::vector<AllocationRow>& rows,
                                                         const Payable& payable) {
  std::vector<AllocationRow> paid;
  for (const auto& row : rows)
    if (row.account == AllocationAccount::payable && row.transaction &&
        row.transaction->text() == payable.transaction && row.payer_id == payable.payer_id &&
        row.payee_npi == payable.payee_npi)
      paid.push_back(row);
  if (sum_of(paid) != payable.amount) return std::nullopt;
  return paid;
}

AdviceLine advice_of(const AllocationRow& row, const Remittance& remittance) {
  AdviceLine line;
  line.payer_id = row.payer_id;
  line.remittance = remittance.id;
  line.trace_number = remittance.draft.trace_number;
  const auto index = static_cast<std::size_t>(row.index);
  if (row.line == AllocationLine::claim && index < remittance.claims.size()) {
    const auto& decided = remittance.claims[index].claim;
    line.claim_identifier = decided.claim_identifier;
    if (row.reason == AllocationReason::takeback_beyond_payments) {
      line.kind = AdviceKind::provider_adjustment;
      line.code = kOverpaymentCode;
      line.reference = decided.claim_identifier;
      line.adjustment = row.amount;
    } else {
      line.kind = AdviceKind::claim;
      line.claim = reported_claim(decided, row.amount, row.undoes.has_value());
      line.payer_payment = row.amount;
    }
    return line;
  }
  line.kind = AdviceKind::provider_adjustment;
  line.code = kAdjustmentCode;
  line.adjustment = row.amount;
  if (row.line == AllocationLine::provider_adjustment && index < remittance.draft.provider_adjustments.size()) {
    const auto& adjustment = remittance.draft.provider_adjustments[index];
    if (!adjustment.code.empty()) line.code = adjustment.code;
    line.reference = adjustment.reference;
  }
  return line;
}

}  // namespace tideover::domain
