// The start of a payout to a practice (declared in disburse.hpp). One transaction covers the open payables, claims
// their sum and makes the attempt in `intent`. No rail gets a payment here.
#include <algorithm>

#include "core/domain/claims/npi.hpp"
#include "core/faults/crash_point.hpp"
#include "core/usecases/allocation/payee_account.hpp"
#include "core/usecases/allocation/residual_due.hpp"
#include "core/usecases/funding/disburse.hpp"
#include "core/usecases/ledger/post_entry.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::AttemptState;
using domain::DisbursementAttempt;
using domain::Error;
using domain::ErrorCode;
using domain::Money;
using domain::Purpose;

Error payout_running() {
  return Error::of(ErrorCode::idempotency_in_progress,
                   "Another payout to this practice is in progress. Send the request again.")
      .retry_after(1);
}

Error payee_not_found() {
  return Error::of(ErrorCode::not_found, "No amount was ever owed to a practice with this NPI.");
}

/// Why no payout may start now; nullopt: it may.
std::optional<Error> refusal_of_practice(const ports::Records& records, const domain::TenantId& tenant,
                                         const DisbursementAttempt& attempt,
                                         const std::optional<DisbursementAttempt>& last) {
  const auto& npi = attempt.subject.payee_npi;
  if (!records.payees().is_known(tenant, npi)) return payee_not_found();
  // One request never makes two payouts, even when its stored response is lost.
  if (!attempt.request_key.empty() &&
      records.settlements().payout_requested(tenant, attempt.subject, attempt.purpose, attempt.request_key))
    return Error::of(ErrorCode::conflict,
                     "This request made its payout before. Send it again to get the stored response.");
  if (last && is_unclear(last->state)) return outcome_unknown(last->subject);
  if (last && is_in_flight(last->state)) return payout_running();
  if (payout_account_of(records, tenant, npi).reveal().empty())
    return Error::of(ErrorCode::invalid_state,
                     "No payout account is known for this practice. Set one with POST /v1/payees/{payee_npi}/account.");
  return std::nullopt;
}

/// The payout as a ledger transaction: it settles what is owed per payer. The rest that is carried forward stays owed
/// by the payers with the largest sums.
domain::LedgerTransaction payout_entry(const domain::TenantId& tenant, const DisbursementAttempt& attempt,
                                       const std::map<std::string, Money>& shares) {
  auto entry =
      domain::LedgerTransaction::of(attempt.pending_entry, {std::string(domain::kPracticePayout), attempt.id.text()},
                                    attempt.updated_at, attempt_takes_effect_on(attempt, domain::LedgerPhase::pending));
  entry.phase = domain::LedgerPhase::pending;
  for (const auto& [payer, share] : shares)
    entry.debit(domain::account::provider_payable(tenant), share, {payer, attempt.subject.payee_npi});
  entry.credit(std::string(domain::account::kFundingCash), attempt.amount);
  return entry;
}

/// Takes `rest` off the largest shares.
std::map<std::string, Money> carried_off(std::map<std::string, Money>& shares, Money rest) {
  std::map<std::string, Money> carried;
  while (rest > Money{}) {
    const auto largest = std::max_element(shares.begin(), shares.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto part = std::min(rest, largest->second);
    largest->second -= part;
    carried[largest->first] += part;
    rest -= part;
  }
  return carried;
}

Money sum_of(const std::map<std::string, Money>& shares) {
  Money sum;
  for (const auto& [payer, share] : shares) sum += share;
  return sum;
}

/// Opens the parts that a payout does not pay as payables of its own.
void carry(ports::Records& records, const domain::TenantId& tenant, const DisbursementAttempt& attempt,
           const std::map<std::string, Money>& parts) {
  for (int position = 0; const auto& [payer, part] : parts)
    records.payees().carry(tenant, {attempt.id.text(), position++, attempt.subject.payee_npi, payer, std::nullopt, "",
                                    "", part, attempt.created_at});
}

}  // namespace

domain::Result<DisbursementAttempt> Disburse::claim_practice(const domain::TenantId& tenant, const std::string& npi,
                                                             const PayoutOrder& order, domain::Timestamp before,
                                                             const OnOutcome& on_claimed) {
  if (!domain::has_npi_format(npi)) return payee_not_found();
  const auto account =
      fetch(store_, [&](const ports::Records& records) { return records.payees().account(tenant, npi); });
  if (!account) return account.error();
  const std::string rail_name = *account && !(*account)->rail.empty() ? (*account)->rail : options_.payout_rail;
  // As before an advance: ask the plugin before the transaction, and start nothing without a writable journal.
  auto started = start_payout(rail_name);
  if (!started) return started.error();
  DisbursementAttempt attempt = std::move(*started);
  ports::FundingRail& rail = *rails_.find(rail_name);
  attempt.subject = domain::PaymentSubject::practice(npi);
  attempt.purpose = Purpose::payable;
  attempt.request_key = order.request_key;

  const auto lease_ends = lease_end();
  faults::crash_point("disburse.claim.before");
  const auto unit = [&](ports::Records& records) -> domain::Status {
    // Before any other row: payments and takebacks change what is owed.
    records.clients().guard_matching(tenant);
    auto& payees = records.payees();
    const auto last = records.settlements().latest_attempt(tenant, attempt.subject, attempt.purpose);
    if (auto refusal = refusal_of_practice(records, tenant, attempt, last)) return *refusal;
    const auto account_now = payees.account(tenant, npi);
    if ((account_now ? account_now->rail : "") != (*account ? (*account)->rail : "")) return payout_running();

    attempt.number = last ? last->number + 1 : 1;
    attempt.rail_key = rail_key(tenant, attempt.subject, attempt.purpose, attempt.number);
    payees.cover(tenant, npi, attempt.id, before, attempt.created_at.utc_date());
    auto shares = payees.covered_by_payer(tenant, attempt.id);
    const Money due = sum_of(shares);
    if (due <= Money{} && !order.request_key.empty() && last && last->request_key == ports::kAnyKey)
      return Error::of(ErrorCode::conflict, "Everything was paid out by a request whose key the database has lost.");
    if (due < std::max(order.at_least, rail.describe().min_amount))
      return Error::of(ErrorCode::invalid_state, due <= Money{}
                                                     ? "Nothing is due to this practice."
                                                     : "The amount that is due is below the smallest payout.")
          .with("amount_due", format_money(due));
    attempt.amount = std::min(due, rail.describe().max_amount);
    carry(records, tenant, attempt, carried_off(shares, due - attempt.amount));
    const bool waits_here = !order.for_the_resolver && sends_here(records, rail.describe(), attempt.created_at);
    waits_here ? attempt.hold_until(lease_ends) : attempt.ask_at(attempt.created_at);
    records.settlements().insert_attempt(tenant, attempt);
    post_entry({records, tenant, attempt.created_at, ids_}, payout_entry(tenant, attempt, shares));
    faults::crash_point("disburse.claim.booked");
    set_payout_status(records, tenant, npi, domain::FundingStatus::pending_submission);
    // The payout nets the debts that it covers.
    for (const auto& settlement : payees.debts_in(tenant, attempt.id))
      report_payouts_taken_back({records, tenant, attempt.created_at, ids_}, settlement);
    return on_claimed(records, nullptr, attempt);
  };
  if (auto done = commit_step(tenant, attempt, unit); !done) return done.error();
  faults::crash_point("disburse.claim.committed");
  return attempt;
}

// The journal proves the payout. It covers what was open when it was sent; the rest was paid in advance.
void Disburse::insert_adopted_practice_payout(ports::Records& records, const domain::TenantId& tenant,
                                              const Attempt& attempt) {
  const auto& npi = attempt.subject.payee_npi;
  auto& payees = records.payees();
  payees.cover(tenant, npi, attempt.id, attempt.created_at.plus_ms(1), attempt.created_at.utc_date());
  auto shares = payees.covered_by_payer(tenant, attempt.id);
  const Money rest = sum_of(shares) - attempt.amount;
  carry(records, tenant, attempt, carried_off(shares, rest));
  if (rest < Money{}) {
    shares[""] -= rest;
    carry(records, tenant, attempt, {{"", rest}});
  }
  post_entry({records, tenant, attempt.updated_at, ids_}, payout_entry(tenant, attempt, shares));
  set_payout_status(records, tenant, npi, domain::FundingStatus::unknown);
  if (payees.due(tenant, npi) < Money{})
    open_task_once({records, tenant, attempt.updated_at, ids_}, {domain::kPaymentUnexpected, npi, kMorePaidThanDue});
}

}  // namespace tideover::usecases
