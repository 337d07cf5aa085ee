// The queue of the workers: new jobs, bounded, and jobs that go on, which are as many as were taken before and come first.
// Any thread may call anything. Whoever hands in hundreds of jobs at once wakes one worker, and each that wakes and finds
// more wakes the next: waking is the costliest part of a short job.
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
    std::unique_lock lock(mutex_);
    if (closed_ || jobs_.size() >= capacity_) return false;
    jobs_.push_back(std::move(job));
    wake_one(std::move(lock));
    return true;
  }

  /// A job that goes on. False when the queue is closed.
  bool push_resumed(Job&& job) {
    std::unique_lock lock(mutex_);
    if (closed_) return false;
    resumed_.push_back(std::move(job));
    wake_one(std::move(lock));
    return true;
  }

  /// Waits for a job; none once the queue is closed.
  std::optional<Job> pop() {
    std::unique_lock lock(mutex_);
    while (!closed_ && empty()) {
      ++asleep_;
      ready_.wait(lock);
      --asleep_;
      waking_ = false;
    }
    if (closed_) return std::nullopt;
    auto& line = resumed_.empty() ? jobs_ : resumed_;
    std::optional<Job> job(std::move(line.front()));
    line.pop_front();
    if (!empty()) wake_one(std::move(lock));
    return job;
  }

  /// Drops what still waits and lets every pop() return.
  void close() {
    std::deque<Job> dropped[2];  // destroyed outside the lock
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
      dropped[0].swap(jobs_);
      dropped[1].swap(resumed_);
    }
    ready_.notify_all();
  }

 private:
  bool empty() const { return jobs_.empty() && resumed_.empty(); }
  /// Lets go of the lock first: who is woken needs it at once.
  void wake_one(std::unique_lock<std::mutex> lock) {
    if (waking_ || asleep_ == 0) return;
    waking_ = true;
    lock.unlock();
    ready_.notify_one();
  }

  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Job> jobs_;
  std::deque<Job> resumed_;
  int asleep_ = 0;       // workers that wait, also those that are being woken
  bool waking_ = false;  // a worker has been woken and has not looked yet
  bool closed_ = false;
};

}  // namespace tideover::http
