#include "core/usecases/funding/follow_up_payments.hpp"

#include <algorithm>

#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::AttemptState;
using domain::DisbursementAttempt;
using domain::ErrorCode;
using ports::RailOutcome;

constexpr std::size_t kPerRound = 100;
constexpr int kDisagreementPause_days = 1;

}  // namespace

domain::Result<int> FollowUpPayments::operator()(const std::function<bool()>& stopping) {
  auto due = fetch(store_, [&](const ports::Records& records) {
    return records.settlements().payments_to_follow(clock_.now(), kPerRound);
  });
  if (!due) return due.error();
  std::optional<domain::Error> first_failure;
  int checked = 0;
  for (auto& [tenant, attempt] : *due) {
    if (stopping()) break;
    ++checked;
    const ports::InTimeOf in_time(clock_, tenant);
    const auto followed = follow_up(tenant, attempt);
    if (!followed && followed.error().code != ErrorCode::idempotency_in_progress && !first_failure)
      first_failure = followed.error();
  }
  if (first_failure) return *first_failure;
  return checked;
}

domain::Status FollowUpPayments::follow_up(const domain::TenantId& tenant, DisbursementAttempt attempt) {
  ports::FundingRail* rail = rails_.find(attempt.rail);
  const bool can_tell = rail && rail->describe().recall != ports::RailRecall::blind;
  // A rail that answers no questions is never asked again. One that is not configured may return.
  if (!can_tell) return ask_again_at(tenant, attempt, rail ? kNeverAgain : clock_.now().plus_days(1), nullptr);

  // Raise the epoch first, so that only one worker asks about this payment and records the answer.
  const int epoch = attempt.epoch;
  ++attempt.epoch;
  ++attempt.resolve_tries;
  attempt.updated_at = clock_.now();
  attempt.hold_until(real_now(clock_).plus_ms(options_.lease.count()));
  bool ours = false;
  const auto taken = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        ours = records.settlements().update_attempt(tenant, attempt, epoch, attempt.state);
        return {};
      },
      ports::Priority::background);
  if (!taken) return taken.error();
  if (!ours) return {};

  // Ask outside a transaction: a slow rail must not block the database.
  const RailOutcome outcome = rail->query(attempt.rail_key, attempt.amount, options_.query_timeout);
  const auto now = clock_.now();
  const auto& waits = options_.ask_again_after_s;
  const auto later =
      now.plus_ms(waits[std::min(static_cast<std::size_t>(attempt.resolve_tries - 1), waits.size() - 1)] * 1000LL);
  // A wrong answer moves no money: an operator has to find out what the rail did.
  if (outcome.contradicts)
    return ask_again_at(
        tenant, attempt, now.plus_days(kDisagreementPause_days),
        "The rail's answer is about another payment than the one that it took. Ask the rail's operator.");
  if (outcome.kind == RailOutcome::Kind::not_found)
    return ask_again_at(tenant, attempt, now.plus_days(kDisagreementPause_days),
                        "The rail took this payment and no longer knows it. Ask the rail's operator.");
  if (outcome.kind == RailOutcome::Kind::unknown) return ask_again_at(tenant, attempt, later, nullptr);

  const auto event = event_of(outcome, attempt.state, rail->describe().final_on_accept);
  if (!event) return ask_again_at(tenant, attempt, kNeverAgain, nullptr);  // settled, and the return window is over
  // The rail repeats its answer: nothing to post, ask again later.
  if (next_state(attempt.state, *event) == attempt.state) return ask_again_at(tenant, attempt, later, nullptr);
  const auto booked = disburse_.record(
      tenant, attempt, *event, outcome,
      [&](ports::Records& records, const domain::Settlement*, const DisbursementAttempt& now_stands) -> domain::Status {
        audit_rail_answer({records, tenant, now, ids_}, "follow-up", now_stands);
        return {};
      });
  return booked ? domain::Status{} : domain::Status(booked.error());
}

domain::Status FollowUpPayments::ask_again_at(const domain::TenantId& tenant, DisbursementAttempt attempt,
                                              domain::Timestamp at, const char* disagreement) {
  attempt.ask_at(at);
  attempt.updated_at = clock_.now();
  return store_.commit(
      [&](ports::Records& records) -> domain::Status {
        if (!records.settlements().update_attempt(tenant, attempt, attempt.epoch, attempt.state)) return {};
        if (disagreement)
          open_task_once({records, tenant, attempt.updated_at, ids_},
                         {domain::kRailDisagreement, attempt.subject.text(), disagreement});
        return {};
      },
      ports::Priority::background);
}

}  // namespace tideover::usecases
