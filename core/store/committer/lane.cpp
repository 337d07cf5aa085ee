#include "core/store/committer/lane.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <thread>
#include <utility>

#include "core/faults/crash_point.hpp"

namespace tideover::store {

namespace {

using Kind = sql::SqlError::Kind;
using Clock = std::chrono::steady_clock;

constexpr int kMostConflictRetries = 8;
constexpr std::chrono::milliseconds kReconnectPause{50};

CommitReport failed(Kind kind, std::string message) {
  return {CommitOutcome::failed, kind, std::move(message)};
}

CommitReport failed(const sql::SqlError& error) {
  return failed(error.kind, error.what());
}

}  // namespace

Lane::Lane(int number, const Committer::SessionFactory& open_session, const CommitterOptions& options, JobQueue& queue,
           Counters& counters)
    : number_(number),
      open_session_(open_session),
      options_(options),
      queue_(queue),
      counters_(counters),
      witness_(options.new_witness ? options.new_witness() : nullptr),
      jitter_(std::random_device{}()) {
  open();
}

void Lane::open() {
  session_ = open_session_();
  session_->take_lane(number_);
}

void Lane::serve() {
  for (;;) {
    std::vector<Job> jobs = queue_.take(options_.max_batch_units);
    if (jobs.empty()) return;
    serve_batch(jobs);
  }
}

void Lane::serve_batch(std::vector<Job>& jobs) {
  const auto deadline = Clock::now() + options_.reconnect_time;
  std::vector<CommitReport> reports =
      broken_ ? std::vector<CommitReport>(jobs.size(), *broken_) : settle(jobs, deadline);
  ask_refused_again(jobs, reports, deadline);
  const auto first_left = jobs.begin() + static_cast<std::ptrdiff_t>(reports.size());
  if (first_left != jobs.end()) {
    queue_.put_back({std::make_move_iterator(first_left), std::make_move_iterator(jobs.end())});
  }
  for (std::size_t i = 0; i < reports.size(); ++i) jobs[i].done(std::move(reports[i]));
  tidy();
}

/// The first disk failure ends the lane and this work: uncertain data must not be written further.
void Lane::tidy() {
  if (!session_ || broken_) return;
  try {
    session_->tidy();
  } catch (const sql::SqlError& error) {
    note(error, false);
    options_.on_disk_failed(error);
  }
}

std::vector<CommitReport> Lane::settle(std::span<Job> jobs, Clock::time_point deadline) {
  Mode mode = Mode::optimistic;
  int conflicts = 0;
  for (;;) {
    try {
      ensure_session(deadline);
      return run_once(jobs, mode);
    } catch (const MustReplay&) {
      abandon_transaction();
      ++counters_.replays;
      mode = Mode::guarded;
    } catch (const sql::SqlError& error) {
      note(error, false);
      abandon_transaction();
      const bool conflict = error.kind == Kind::conflict;
      if (conflict && conflicts == kMostConflictRetries && jobs.size() > 1) return settle_singly(jobs, deadline);
      const bool again = conflict ? conflicts < kMostConflictRetries
                                  : error.kind == Kind::connection_lost && Clock::now() < deadline && !queue_.closed();
      if (!again) return std::vector<CommitReport>(jobs.size(), failed(error));
      ++counters_.retries;
      if (conflict) back_off(++conflicts);
    } catch (const std::exception& error) {
      // An error outside the driver, such as out of memory. Waiting callers must get a report, and the lane must
      // continue.
      abandon_transaction();
      return std::vector<CommitReport>(jobs.size(), failed(Kind::misuse, error.what()));
    }
  }
}

/// All within the batch's own deadline: a database that is lost meanwhile must not cost its time once per job.
std::vector<CommitReport> Lane::settle_singly(std::span<Job> jobs, Clock::time_point deadline) {
  std::vector<CommitReport> reports;
  for (Job& job : jobs) reports.push_back(settle({&job, 1}, deadline).front());
  return reports;
}

void Lane::ask_refused_again(std::span<Job> jobs, std::span<CommitReport> reports, Clock::time_point deadline) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < reports.size(); ++i)
    if (reports[i].outcome == CommitOutcome::discarded) places.push_back(i);
  if (places.empty() || !catch_up()) return;

  std::vector<Job> refused;
  refused.reserve(places.size());
  for (const std::size_t place : places)
    refused.push_back({std::move(jobs[place].unit), jobs[place].priority, nullptr});
  for (std::size_t next = 0; next < refused.size();)
    for (CommitReport& report : settle(std::span(refused).subspan(next), deadline))
      reports[places[next++]] = std::move(report);
}

/// True: the lane's next read sees all data of the cluster, because it waited or because its next session waits when it
/// opens. False: there is no cluster.
bool Lane::catch_up() {
  try {
    return session_ ? session_->catch_up() : true;
  } catch (const sql::SqlError&) {
    session_.reset();
    return true;
  }
}

std::vector<CommitReport> Lane::run_once(std::span<Job> jobs, Mode mode) {
  const auto started = Clock::now();
  std::vector<CommitReport> reports;
  session_->begin();
  if (mode == Mode::optimistic && jobs.size() > 1) session_->gather_inserts();
  faults::crash_point("batch.begun");
  while (reports.size() < jobs.size() && !is_long_enough(jobs, reports.size(), started)) {
    reports.push_back(run_unit(jobs[reports.size()].unit, mode));
  }
  send_gathered();
  const bool marked = witness_ && session_->changes_in_transaction() > 0;
  if (marked) witness_->mark(*session_);
  faults::crash_point("batch.written");
  try {
    session_->commit();
  } catch (const std::exception& error) {
    // An exception other than SqlError does not say whether the commit took place.
    if (const auto* known = dynamic_cast<const sql::SqlError*>(&error); known && known->kind != Kind::commit_unknown)
      throw;
    note(error, true);
    session_.reset();
    const auto kept = marked ? learn_outcome() : std::nullopt;
    if (kept && !*kept)
      throw sql::SqlError(Kind::connection_lost, 0, std::string("nothing of the batch was kept: ") + error.what());
    if (!kept) {
      // A unit that refused has written nothing, but other writes of its batch may not exist: its refusal cannot be
      // trusted.
      for (CommitReport& report : reports) {
        report = failed(report.committed() ? Kind::commit_unknown : Kind::connection_lost, error.what());
      }
      return reports;
    }
  }
  faults::crash_point("batch.committed");
  ++counters_.batches;
  counters_.units += static_cast<std::uint64_t>(std::ranges::count_if(reports, &CommitReport::committed));
  return reports;
}

CommitReport Lane::run_unit(Unit& unit, Mode mode) {
  const std::uint64_t changes_before = session_->changes_in_transaction();
  if (mode == Mode::guarded) session_->savepoint();
  CommitReport report{CommitOutcome::committed, std::nullopt, {}};
  try {
    if (unit(*session_) == UnitVerdict::discard) report.outcome = CommitOutcome::discarded;
  } catch (const sql::InsertsRefused&) {
    throw MustReplay{};
  } catch (const sql::SqlError& error) {
    if (sql::dooms_transaction(error.kind)) throw;
    report = failed(error);
  } catch (const std::exception& error) {
    report = failed(Kind::misuse, std::string("the unit threw: ") + error.what());
  } catch (...) {
    report = failed(Kind::misuse, "the unit threw an unknown exception");
  }
  if (mode == Mode::guarded) {
    if (!report.committed()) session_->rollback_to_savepoint();
    session_->release_savepoint();
  } else if (!report.committed() && session_->changes_in_transaction() != changes_before) {
    throw MustReplay{};
  }
  return report;
}

/// The failing unit of gathered inserts is unknown: the replay finds it.
void Lane::send_gathered() {
  try {
    session_->send_gathered();
  } catch (const sql::InsertsRefused&) {
    throw MustReplay{};
  }
}

bool Lane::is_long_enough(std::span<const Job> jobs, std::size_t done, Clock::time_point started) const {
  if (done == 0) return false;
  const bool more_background =
      jobs[done].priority == Priority::background && jobs[done - 1].priority == Priority::background;
  return (more_background && queue_.interactive_waits()) || Clock::now() - started >= options_.max_batch_time;
}

void Lane::note(const std::exception& error, bool in_commit) {
  if (!options_.disk_errors_are_final || broken_) return;
  const auto* known = dynamic_cast<const sql::SqlError*>(&error);
  const bool final = in_commit || (known != nullptr && (known->kind == Kind::io || known->kind == Kind::corrupt));
  if (final)
    broken_ = failed(known != nullptr && known->kind == Kind::corrupt ? Kind::corrupt : Kind::io, error.what());
}

void Lane::abandon_transaction() noexcept {
  if (!session_) return;
  try {
    session_->rollback();
  } catch (const std::exception&) {
    session_.reset();
    return;
  }
  if (!session_->usable()) session_.reset();
}

std::optional<bool> Lane::learn_outcome() {
  const auto deadline = Clock::now() + options_.reconnect_time;
  for (;;) {
    try {
      ensure_session(deadline);
      return witness_->was_kept(*session_);
    } catch (const sql::SqlError& error) {
      abandon_transaction();
      const bool again =
          error.kind == Kind::conflict || error.kind == Kind::connection_lost || error.kind == Kind::commit_unknown;
      if (!again || Clock::now() >= deadline || queue_.closed()) return std::nullopt;
      std::this_thread::sleep_for(kReconnectPause);
    } catch (const std::exception&) {
      // Out of memory, for example. It must not count as a failure of the batch, after which nothing is stored.
      abandon_transaction();
      return std::nullopt;
    }
  }
}

void Lane::ensure_session(Clock::time_point deadline) {
  while (!session_) {
    try {
      open();
      ++counters_.reconnects;
    } catch (const sql::SqlError& error) {
      if (error.kind != Kind::connection_lost || Clock::now() >= deadline || queue_.closed()) throw;
      std::this_thread::sleep_for(kReconnectPause);
    }
  }
}

void Lane::back_off(int attempt) {
  std::uniform_int_distribution<int> pause_ms(1, std::min(80, 5 << attempt));
  std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms(jitter_)));
}

}  // namespace tideover::store
