// One lane of the committer: owns a session and runs batches of jobs as transactions. Single-threaded; the counters are
// shared with the other lanes.
#pragma once

#include <atomic>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "core/store/committer/job_queue.hpp"

namespace tideover::store {

struct Counters {
  std::atomic<std::uint64_t> batches = 0;
  std::atomic<std::uint64_t> units = 0;
  std::atomic<std::uint64_t> replays = 0;
  std::atomic<std::uint64_t> retries = 0;
  std::atomic<std::uint64_t> reconnects = 0;
};

class Lane {
 public:
  /// `number` counts the lanes from 0; every session of the lane has it.
  Lane(int number, const Committer::SessionFactory& open_session, const CommitterOptions& options, JobQueue& queue,
       Counters& counters);

  /// Runs the queue until it is closed and empty.
  void serve();

 private:
  enum class Mode {
    optimistic,  // no savepoints: the first unit that must be undone invalidates the run
    guarded      // a savepoint per unit: a failed unit is undone alone
  };
  struct MustReplay {};  // thrown by an optimistic run that must undo one unit

  void serve_batch(std::vector<Job>& jobs);
  /// Fills one report per job, with retries and replays as needed. Jobs for which the batch had no time have no report.
  std::vector<CommitReport> settle(std::span<Job> jobs, std::chrono::steady_clock::time_point deadline);
  std::vector<CommitReport> settle_singly(std::span<Job> jobs, std::chrono::steady_clock::time_point deadline);
  /// On a cluster, writes of a unit may conflict with those of other nodes, and a refusal may depend on data that
  /// another node has acknowledged and this one has not received yet. Refused units therefore run again after waiting
  /// for the cluster.
  void ask_refused_again(std::span<Job> jobs, std::span<CommitReport> reports,
                         std::chrono::steady_clock::time_point deadline);
  bool catch_up();
  std::vector<CommitReport> run_once(std::span<Job> jobs, Mode mode);
  CommitReport run_unit(Unit& unit, Mode mode);
  void send_gathered();
  bool is_long_enough(std::span<const Job> jobs, std::size_t done, std::chrono::steady_clock::time_point started) const;
  void abandon_transaction() noexcept;
  void note(const std::exception& error, bool in_commit);
  void tidy();
  void open();
  /// After a COMMIT without an answer: whether the batch was committed; nullopt when that cannot be determined in time.
  std::optional<bool> learn_outcome();
  void ensure_session(std::chrono::steady_clock::time_point deadline);
  void back_off(int attempt);

  const int number_;
  const Committer::SessionFactory& open_session_;
  const CommitterOptions& options_;
  JobQueue& queue_;
  Counters& counters_;
  std::unique_ptr<sql::Session> session_;
  const std::unique_ptr<CommitWitness> witness_;  // may be null
  std::optional<CommitReport> broken_;            // the report for all later jobs after a disk failure
  std::minstd_rand jitter_;
};

}  // namespace tideover::store
