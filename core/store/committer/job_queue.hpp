// The bounded queue between callers and lanes. Decides which jobs form a batch. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <vector>

#include "core/store/committer/committer.hpp"

namespace tideover::store {

/// A waiting unit, with its callback.
struct Job {
  Unit unit;
  Priority priority;
  Committer::Completion done;
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();  // start of waiting
};

class JobQueue {
 public:
  JobQueue(std::size_t capacity, std::chrono::milliseconds bulk_patience)
      : capacity_(capacity), bulk_patience_(bulk_patience) {}

  enum class Admission { accepted, full, closed };
  /// Takes the job only if it is accepted.
  Admission push(Job&& job);

  /// Waits for work and takes at most `most` jobs: interactive ones first and then one background job, or background
  /// jobs alone when no interactive one waits. A bulk job is taken alone, when no interactive job has arrived for
  /// kBulkPause and nothing else waits, or when it has waited for `bulk_patience`. Empty only when the queue is closed
  /// and drained.
  std::vector<Job> take(std::size_t most);

  /// Returns jobs that a batch had no time for to the front, in order.
  void put_back(std::vector<Job> jobs);

  /// Lock-free, for a lane during background work.
  bool interactive_waits() const { return interactive_waiting_.load(std::memory_order_relaxed) > 0; }

  void close();
  bool closed() const { return closed_.load(std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;

  std::deque<Job>& line_of(Priority priority);
  std::size_t size() const { return interactive_.size() + background_.size() + bulk_.size(); }
  Clock::time_point bulks_turn() const;
  void count_waiting() { interactive_waiting_.store(interactive_.size(), std::memory_order_relaxed); }

  const std::size_t capacity_;
  const std::chrono::milliseconds bulk_patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> interactive_;
  std::deque<Job> background_;
  std::deque<Job> bulk_;
  Clock::time_point last_interactive_;  // arrival of the latest interactive job
  std::atomic<std::size_t> interactive_waiting_ = 0;
  std::atomic<bool> closed_ = false;
};

}  // namespace tideover::store
