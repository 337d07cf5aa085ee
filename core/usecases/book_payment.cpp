#include "core/usecases/book_payment.hpp"

#include <algorithm>

#include "core/domain/claim_status.hpp"
#include "core/domain/ledger.hpp"
#include "core/faults/crash_point.hpp"
#include "core/usecases/tasks.hpp"

namespace tideover::usecases {

using domain::Deposit;
using domain::Money;
using domain::Remittance;
using State = domain::RemittanceClaimRecord::State;

bool BookPayment::covers(const Remittance& remittance, const Deposit* deposit) {
  // What provider adjustments and reversals took out of the payment is missing for somebody; whom, a person has to say.
  Money paid_out;
  for (const auto& paid : remittance.claims) paid_out += std::max(paid.claim.paid_amount, Money{});
  if (paid_out <= (deposit ? deposit->amount : Money{})) return true;
  open_task(remittance, "The claims were paid more than the money that came: held.");
  return false;
}

void BookPayment::claim(const domain::Settlement& settlement, const Remittance& remittance, domain::RemittanceClaimRecord& paid,
                        Deposit* deposit, const char* matched_by) {
  paid.state = State::unmatched;
  const Money amount = paid.claim.paid_amount;
  const auto status = domain::claim_status_of_clp02(paid.claim.status);
  if (amount < Money{} || !status || *status == domain::ClaimStatus::reversed)
    return open_task(remittance, "A claim was not simply processed (CLP02 " + paid.claim.status + ").");
  if (const auto before = records_.reconciliations().of(tenant_, settlement.id); !before.empty()) {
    if (!amount.is_zero()) return open_task(remittance, "The payer pays again for a settlement that is final.");
    paid.state = State::duplicate;
    paid.record = before.back().id;
    return;
  }
  payment(settlement, amount, *status == domain::ClaimStatus::denied, deposit, &remittance, matched_by);
  paid.state = State::posted;
  paid.record = posted_.back().id;
}

void BookPayment::payment(const domain::Settlement& settlement, Money payment, bool denied, Deposit* deposit,
                          const Remittance* remittance, const char* matched_by) {
  const Money advance = settlement.funded_amount.value_or(settlement.terms.advance_amount);
  domain::ReconciliationRecord record;
  record.id = ids_.next<domain::ReconciliationId>();
  record.settlement = settlement.id;
  record.payer_payment = payment;
  record.split = domain::run_waterfall(payment, advance, settlement.terms.fee_estimate, settlement.expected_reimbursement, denied);
  record.matched_by = matched_by;
  if (deposit) {
    record.deposit = deposit->id;
    record.trace_number = deposit->trace_number;
  }
  if (remittance) {
    record.remittance = remittance->id;
    record.trace_number = remittance->draft.trace_number;
  }
  record.posted_at = now_;
  records_.reconciliations().insert(tenant_, record);
  faults::crash_point("reconciliation.recorded");

  domain::LedgerTransaction entry;
  entry.id = ids_.next<domain::LedgerTransactionId>();
  entry.cause_kind = "reconciliation";
  entry.cause_id = record.id.text();
  entry.settlement = settlement.id;
  entry.at = now_;
  entry.debit(std::string(domain::account::kSuspenseUnmatched), payment);
  entry.debit(std::string(domain::account::kLossOnReceivable), record.split.principal_loss);
  entry.credit(domain::account::purchased_receivable(settlement.id), advance);
  entry.credit(std::string(domain::account::kFeeIncome), record.split.fee);
  entry.credit(domain::account::provider_payable(tenant_), record.split.residual);
  records_.ledger().append(tenant_, entry);
  faults::crash_point("reconciliation.booked");

  if (deposit) {
    deposit->matched_amount += payment;
    deposit->status = deposit->matched_amount == deposit->amount ? domain::MatchState::matched : domain::MatchState::partly_matched;
  }
  records_.events().append(tenant_, {ids_.next<domain::EventId>(), now_,
                                     domain::ReconciliationPosted{record.id, settlement.id, payment, record.split.fee, record.split.status}});
  posted_.push_back(std::move(record));
}

void BookPayment::open_task(const Remittance& remittance, std::string note) {
  usecases::open_task(records_, tenant_, ids_, now_, {"match_ambiguous", remittance.id.text(), std::move(note)});
}

}  // namespace tideover::usecases
