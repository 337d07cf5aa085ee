// The bounded queue between callers and lanes. It decides what goes into a batch; thread-safe.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <vector>

#include "core/store/committer/committer.hpp"

namespace tideover::store {

/// A unit on its way, with the one to tell.
struct Job {
  Unit unit;
  Priority priority;
  Committer::Completion done;
};

class JobQueue {
 public:
  explicit JobQueue(std::size_t capacity) : capacity_(capacity) {}

  enum class Admission { accepted, full, closed };
  /// Takes the job only if it is accepted.
  Admission push(Job&& job);

  /// Waits for work and takes up to `most` jobs: interactive ones first and then one background job, or, when nothing
  /// interactive waits, background jobs alone. Empty only when the queue is closed and done.
  std::vector<Job> take(std::size_t most);

  /// Puts jobs that a batch had no time for back to the front, in order.
  void put_back(std::vector<Job> jobs);

  /// Without a lock, for a lane that is in the middle of background work.
  bool interactive_waits() const { return interactive_waiting_.load(std::memory_order_relaxed) > 0; }

  void close();
  bool closed() const { return closed_.load(std::memory_order_relaxed); }

 private:
  std::deque<Job>& line_of(Priority priority) { return priority == Priority::interactive ? interactive_ : background_; }
  bool empty() const { return interactive_.empty() && background_.empty(); }
  void count_waiting() { interactive_waiting_.store(interactive_.size(), std::memory_order_relaxed); }

  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> interactive_;
  std::deque<Job> background_;
  std::atomic<std::size_t> interactive_waiting_ = 0;
  std::atomic<bool> closed_ = false;
};

}  // namespace tideover::store
