#include "core/usecases/funding/replay_journal.hpp"

#include "core/domain/basics/money.hpp"
#include "core/faults/crash_point.hpp"
#include "core/usecases/rails/paid_claim.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::AttemptState;
using domain::ErrorCode;
using ports::JournalledSend;
using ports::RailOutcome;
using Finding = ReplayJournal::Finding;

constexpr std::size_t kReplayedAtOnce = 100;

/// The rail's answer as the journal noted it.
RailOutcome noted(const JournalledSend& sent) {
  RailOutcome outcome;
  if (sent.outcome == AttemptState::accepted) outcome.kind = RailOutcome::Kind::accepted;
  if (sent.outcome == AttemptState::settled) outcome.kind = RailOutcome::Kind::settled;
  if (sent.outcome == AttemptState::rejected) outcome.kind = RailOutcome::Kind::rejected;
  return outcome;
}

/// Attempts are numbered in order, so a later one means that this one is known, too.
bool knows(const ports::Records& records, const JournalledSend& sent) {
  const auto last = records.settlements().latest_attempt(sent.tenant, sent.subject, sent.purpose);
  return last && last->number >= sent.attempt;
}

}  // namespace

domain::Status ReplayJournal::read(const std::function<bool()>& stopping) {
  if (read_) return {};
  std::vector<JournalledSend> batch;
  domain::Status compared;
  left_.clear();
  entries_ = 0;
  const auto read = journal_.visit([&](const JournalledSend& sent) {
    ++entries_;
    batch.push_back(sent);
    // Read the database in batches: the journal may be long.
    if (batch.size() >= kReplayedAtOnce) compared = find_unknown_to_database(batch);
    return compared && !stopping();
  });
  if (!read) return read;
  if (compared) compared = find_unknown_to_database(batch);
  if (!compared || stopping()) return compared;
  // Block the claims before any rail is asked: until then a new confirm could pay an advance twice.
  for (const auto& sent : left_) {
    if (sent.outcome == AttemptState::rejected) continue;  // refused: no money was sent
    if (auto held = hold_claim_back(sent); !held) return held;
  }
  read_ = true;
  return {};
}

domain::Result<ReplayJournal::Report> ReplayJournal::operator()(const std::function<bool()>& stopping) {
  if (auto done = read(stopping); !done) return done.error();
  if (!read_) return Report{};

  Report report;
  report.entries = entries_;
  std::vector<JournalledSend> undecided;
  std::optional<domain::Error> failure;
  for (const auto& sent : left_) {
    const auto found = stopping() ? domain::Result<Finding>(Finding::undecided) : check(sent);
    if (!found) failure = found.error();
    const Finding finding = found ? *found : Finding::undecided;
    report.adopted += finding == Finding::adopted;
    report.not_paid += finding == Finding::not_paid;
    report.tasks += finding == Finding::task;
    // Undecided payments are asked about in a later round. Until then their claims stay blocked.
    if (finding != Finding::undecided) continue;
    if (auto held = hold_claim_back(sent); !held) failure = held.error();
    undecided.push_back(sent);
  }
  left_ = std::move(undecided);
  report.undecided = left_.size();
  if (failure) return *failure;
  if (!stopping()) is_through_ = true;
  return report;
}

domain::Status ReplayJournal::find_unknown_to_database(std::vector<JournalledSend>& batch) {
  const auto read = store_.read([&](const ports::Records& records) {
    for (const auto& sent : batch)
      if (!knows(records, sent)) left_.push_back(sent);
  });
  batch.clear();
  return read;
}

domain::Status ReplayJournal::hold_claim_back(const JournalledSend& sent) {
  // A live settlement blocks another advance only until it is canceled or expires, so it gets the task as well.
  // Until its payout is in the database, the residuals that it covers could be paid again.
  if (sent.purpose == domain::Purpose::payable && disburse_.knows_rail(sent.rail)) {
    const auto adopted = disburse_.adopt(sent, noted(sent));
    const bool is_known = adopted || adopted.error().code == ErrorCode::conflict ||
                          adopted.error().code == ErrorCode::idempotency_in_progress;
    return is_known ? domain::Status{} : domain::Status(adopted.error());
  }
  if (sent.purpose != domain::Purpose::advance) {
    // Only whether it exists: a damaged settlement must not end the start.
    const auto exists = fetch(store_, [&](const ports::Records& records) {
      return records.settlements().exists(sent.tenant, sent.subject.settlement);
    });
    if (!exists) return exists.error();
    if (*exists) return {};
  }
  const auto opened = open_task(sent, {});
  return opened ? domain::Status{} : domain::Status(opened.error());
}

domain::Result<Finding> ReplayJournal::check(const JournalledSend& sent) {
  const auto known = fetch(store_, [&](const ports::Records& records) { return knows(records, sent); });
  if (!known) return known.error();
  // The resolver or another node may have posted it since the journal was compared.
  if (*known) return close_task_of(sent, Finding::known);
  ports::FundingRail* rail = rails_.find(sent.rail);
  if (!rail) return Finding::undecided;

  // A blind rail answers no questions: the journal's own note is the best evidence.
  const bool blind = rail->describe().recall == ports::RailRecall::blind;
  faults::crash_point("replay.query.before");
  const RailOutcome outcome = blind ? noted(sent) : rail->query(sent.key, sent.amount, query_timeout_);
  faults::crash_point("replay.query.answered");
  switch (outcome.kind) {
    case RailOutcome::Kind::rejected:
    // No money was sent, so the claim may be advanced again.
    case RailOutcome::Kind::not_found:
      return close_task_of(sent, Finding::not_paid);
    case RailOutcome::Kind::unknown:
      // Ask again later, unless that cannot help: a blind rail, or an answer about another payment.
      if (!blind && !outcome.contradicts) return Finding::undecided;
      break;
    case RailOutcome::Kind::accepted:
    case RailOutcome::Kind::settled:
    case RailOutcome::Kind::returned:
      break;
  }
  return adopt(sent, outcome);
}

domain::Result<Finding> ReplayJournal::adopt(const JournalledSend& sent, const RailOutcome& outcome) {
  // The same steps as for a new attempt: pending entry, outcome, ledger. Only the sending is left out.
  const auto adopted = disburse_.adopt(sent, outcome);
  if (adopted) return close_task_of(sent, Finding::adopted);
  switch (adopted.error().code) {
    case ErrorCode::conflict:
      return close_task_of(sent, Finding::known);
    case ErrorCode::idempotency_in_progress:
      return Finding::undecided;
    // Without a settlement there is no receivable to post the payment to.
    case ErrorCode::settlement_not_found:
      return open_task(sent, outcome);
    default:
      return adopted.error();
  }
}

domain::Result<Finding> ReplayJournal::close_task_of(const JournalledSend& sent, Finding finding) {
  const auto closed = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        for (const auto& task : records.tasks().list(
                 sent.tenant, {domain::TaskStatus::open, domain::kPaymentUnexpected, sent.subject.text()},
                 // By payment: one settlement may have tasks about several payments.
                 {"", kReplayedAtOnce}))
          if (task.finding == finding_of(sent))
            close_task({records, sent.tenant, clock_.now(), ids_}, task, domain::kAnsweredByRail);
        return {};
      },
      ports::Priority::background);
  if (!closed) return closed.error();
  return finding;
}

domain::Result<Finding> ReplayJournal::open_task(const JournalledSend& sent, const RailOutcome& outcome) {
  const bool paid = outcome.kind != RailOutcome::Kind::unknown;
  const std::string what = sent.purpose == domain::Purpose::advance ? " of an advance" : " of a residual";
  const std::string note = std::string("The rail ") + sent.rail + (paid ? " paid " : " may have paid ") +
                           format_money(sent.amount) + what + " under key " + sent.key +
                           (outcome.reference.empty() ? "" : ", rail reference " + outcome.reference) + ", sent " +
                           format_timestamp(sent.at) + ". The database does not have this payment.";
  const auto opened = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        const auto finding = finding_of(sent);
        if (paid) records.tasks().amend(sent.tenant, finding, note);
        open_task_about({records, sent.tenant, clock_.now(), ids_},
                        {domain::kPaymentUnexpected, sent.subject.text(), note, std::nullopt, finding});
        return {};
      },
      ports::Priority::background);
  if (!opened) return opened.error();
  return Finding::task;
}

}  // namespace tideover::usecases
