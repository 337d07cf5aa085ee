// Long remittances that are posted in chunks (declared in match_payments.hpp). Each chunk judges, plans and posts its
// claims from what the store says in its own transaction, so that nothing else that happens between two chunks is lost.
#include <algorithm>

#include "core/usecases/matching/match_payments.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::Deposit;
using domain::MatchStep;
using domain::PostingPhase;
using domain::Remittance;

/// The claims of these rows that reviewers released to the practice.
std::set<int> released_by(const std::vector<domain::AllocationRow>& rows) {
  std::set<int> claims;
  for (const auto& row : domain::standing(rows))
    if (row.reason == domain::AllocationReason::released) claims.insert(row.index);
  return claims;
}

void remove_postponed(Remittance& part, AllocationTargets& targets, const std::set<int>& postponed) {
  if (postponed.empty()) return;
  AllocationTargets kept;
  std::vector<domain::RemittanceClaimRecord> claims;
  for (std::size_t i = 0; i < part.claims.size(); ++i) {
    if (postponed.contains(part.claims[i].index)) continue;
    claims.push_back(std::move(part.claims[i]));
    kept.of.push_back(std::move(targets.of[i]));
    kept.ownership.push_back(targets.ownership[i]);
  }
  part.claims = std::move(claims);
  targets = std::move(kept);
}

}  // namespace

bool MatchPayments::is_long(const Remittance& remittance, const Deposit& money) const {
  if (at_once_ == 0) return false;
  const auto& draft = remittance.draft;
  // Money that is missing holds a remittance as a whole, and so does a payer that has to be found first.
  const bool is_paid = draft.payment_amount > domain::Money{} &&
                       money.amount - money.matched_amount >= draft.payment_amount && balance_of(draft).balanced();
  return is_paid && !draft.payer_id.empty() && records_.remittances().count_claims(tenant_, remittance.id) > at_once_;
}

void MatchPayments::start_posting(const Remittance& remittance, MatchStep step) {
  domain::RemittancePosting posting;
  posting.remittance = remittance.id;
  posting.matched_by = name_of(step);
  posting.moved_at = now_;
  records_.postings().insert(tenant_, posting);
  started_.push_back(remittance.id);
}

PostedChunk MatchPayments::post_chunk(const OpenPosting& open, const std::vector<std::size_t>& positions) {
  const auto& posting = open.posting();
  numbers_ = open.numbers();
  const auto step = domain::match_step_named(posting.matched_by).value_or(MatchStep::trace_number);
  PostedChunk chunk;
  auto& part = chunk.part = open.header();
  for (const auto position : positions) part.claims.push_back(open.whole().claims[position]);
  const auto rows = open.rows_of(positions);
  chunk.answered = open.answered();
  const auto released = released_by(rows);
  std::set<int> postponed;
  auto targets = targets_of({open.whole(), part.claims, released, chunk.answered,
                             posting.phase == PostingPhase::claims ? &postponed : nullptr},
                            true);
  remove_postponed(part, targets, postponed);
  auto pool = FundsPool::of(records_, tenant_, part.deposit);
  const AllocationPart scope{
      open.whole(), rows, open.allocated(), open.next_number(), posting.phase == PostingPhase::takebacks, open.names()};
  const auto appended = posting_.post_part(part, targets, pool.money(), name_of(step), scope);
  if (!appended) {
    chunk.is_whole = true;
    finish_posting(posting.remittance);
    return chunk;
  }
  chunk.rows = appended->rows;
  chunk.sum = appended->sum;
  pool.keep(records_, tenant_);
  records_.remittances().set_status(tenant_, posting.remittance,
                                    domain::status_of(part, open.totals_with(part.claims)));
  reevaluate_waiting();
  return chunk;
}

void MatchPayments::close_answered_question(const domain::RemittanceId& id) {
  if (records_.tasks().list(tenant_, {domain::TaskStatus::open, "match_ambiguous", id.text()}, {"", 1}).empty()) return;
  if (!holds_open_question(with_claims(id))) close_tasks(unit_, "match_ambiguous", id.text(), "matched");
}

void MatchPayments::finish_postings(const std::string& object) {
  if (const auto remittance = domain::RemittanceId::parse(object)) return void(finish_posting(*remittance));
  // The payment of an advance may be in any of them.
  if (domain::SettlementId::parse(object)) return void(finish_all_postings());
  const auto id = domain::DepositId::parse(object);
  const auto deposit = id ? records_.deposits().find(tenant_, *id) : std::nullopt;
  if (!deposit) return;
  for (const auto& remittance : records_.remittances().paid_by(tenant_, deposit->pooled_into.value_or(deposit->id)))
    finish_posting(remittance);
}

bool MatchPayments::finish_all_postings() {
  const auto open = records_.postings().of(tenant_);
  for (const auto& remittance : open) finish_posting(remittance);
  return !open.empty();
}

bool MatchPayments::finish_posting(const domain::RemittanceId& id) {
  const auto posting = records_.postings().find(tenant_, id);
  if (!posting) return false;
  records_.postings().remove(tenant_, id);
  if (posting->again) close_answered_question(id);
  auto remittance = with_claims(id);
  auto pool = FundsPool::of(records_, tenant_, remittance.deposit);
  post_claims(remittance, pool.money(),
              domain::match_step_named(posting->matched_by).value_or(MatchStep::trace_number));
  pool.keep(records_, tenant_);
  has_reevaluated_ = true;
  reevaluate_waiting();
  return true;
}

}  // namespace tideover::usecases
