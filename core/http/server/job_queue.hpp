// A bounded queue between the reactor and the workers. Any thread may call anything.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace tideover::http {

template <typename Job>
class JobQueue {
 public:
  explicit JobQueue(std::size_t capacity) : capacity_(capacity) {}

  /// False when the queue is full or closed; `job` is then untouched.
  bool push(Job&& job) {
    {
      const std::lock_guard lock(mutex_);
      if (closed_ || jobs_.size() >= capacity_) return false;
      jobs_.push_back(std::move(job));
    }
    ready_.notify_one();
    return true;
  }

  /// Waits for a job; none once the queue is closed.
  std::optional<Job> pop() {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
    if (closed_) return std::nullopt;
    std::optional<Job> job(std::move(jobs_.front()));
    jobs_.pop_front();
    return job;
  }

  /// Drops what still waits, says how much that was, and lets every pop() return.
  std::size_t close() {
    std::size_t dropped = 0;
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
      dropped = jobs_.size();
      jobs_.clear();
    }
    ready_.notify_all();
    return dropped;
  }

 private:
  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Job> jobs_;
  bool closed_ = false;
};

}  // namespace tideover::http
