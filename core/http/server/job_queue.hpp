// The queue of the worker threads: new jobs, which are bounded, and resumed jobs, which are no more than the jobs taken
// before and come first. Thread-safe.
//
// Waking a thread is the most expensive part of a short job. A caller that adds many jobs at once wakes one worker, and
// each woken worker that finds more jobs wakes the next one, up to the number that the machine runs at once. When those
// workers are all blocked, watch() wakes one more per interval.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "core/domain/basics/within.hpp"

namespace tideover::http {

template <typename Job>
class JobQueue {
 public:
  /// `workers` threads call pop() until it returns none; one thread calls watch(). At most `at_once` workers are awake
  /// while jobs make progress.
  JobQueue(std::size_t capacity, std::size_t workers, std::size_t at_once,
           std::chrono::milliseconds stall = std::chrono::milliseconds(1))
      : capacity_(capacity),
        workers_(workers),
        at_once_(domain::within<std::size_t>(at_once, 1, std::max<std::size_t>(workers, 1))),
        stall_(stall) {}

  /// False if the queue is full or closed; `job` is then unchanged.
  bool push(Job&& job) {
    std::unique_lock lock(mutex_);
    if (closed_ || jobs_.size() >= capacity_) return false;
    jobs_.push_back(std::move(job));
    wake_one(std::move(lock));
    return true;
  }

  /// Adds a resumed job. False when the queue is closed.
  bool push_resumed(Job&& job) {
    std::unique_lock lock(mutex_);
    if (closed_) return false;
    resumed_.push_back(std::move(job));
    wake_one(std::move(lock));
    return true;
  }

  /// Waits for a job; none if the queue is closed.
  std::optional<Job> pop() {
    std::unique_lock lock(mutex_);
    while (!closed_ && (empty() || awake() > most_awake_)) {
      if (!empty()) want_watch();
      ++asleep_;
      ready_.wait(lock);
      --asleep_;
      waking_ = false;
    }
    if (closed_) return std::nullopt;
    auto& line = resumed_.empty() ? jobs_ : resumed_;
    std::optional<Job> job(std::move(line.front()));
    line.pop_front();
    ++taken_;
    if (!empty()) wake_one(std::move(lock));
    return job;
  }

  /// Wakes a further worker when the awake ones make no progress. Returns when the queue is closed.
  void watch() {
    std::unique_lock lock(mutex_);
    for (int calm = 0; !closed_;) {
      if (!watching_) {
        watch_wanted_.wait(lock);
        continue;
      }
      const auto seen = taken_;
      watch_wanted_.wait_for(lock, stall_);
      if (empty() || taken_ != seen) {
        if (++calm >= kCalm && most_awake_ > at_once_) --most_awake_, calm = 0;
        watching_ = !empty() || most_awake_ > at_once_;
        continue;
      }
      calm = 0;
      most_awake_ = std::min(most_awake_ + 1, workers_);
      if (asleep_ == 0 || waking_) continue;
      waking_ = true;
      ready_.notify_one();
    }
  }

  /// Drops the waiting jobs and makes every pop() return none.
  void close() {
    std::deque<Job> dropped[2];  // destroyed outside the lock
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
      dropped[0].swap(jobs_);
      dropped[1].swap(resumed_);
    }
    ready_.notify_all();
    watch_wanted_.notify_all();
  }

 private:
  static constexpr int kCalm = 10;  // checks without a stall until one worker less is kept awake

  std::size_t awake() const { return workers_ > asleep_ ? workers_ - asleep_ : 0; }
  void want_watch() {
    if (std::exchange(watching_, true)) return;
    watch_wanted_.notify_one();
  }
  bool empty() const { return jobs_.empty() && resumed_.empty(); }
  /// Releases the lock first: the woken worker needs it at once.
  void wake_one(std::unique_lock<std::mutex> lock) {
    if (waking_ || asleep_ == 0) return;
    if (awake() >= most_awake_) return want_watch();
    waking_ = true;
    lock.unlock();
    ready_.notify_one();
  }

  const std::size_t capacity_;
  const std::size_t workers_;
  const std::size_t at_once_;
  const std::chrono::milliseconds stall_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::condition_variable watch_wanted_;
  std::deque<Job> jobs_;
  std::deque<Job> resumed_;
  std::size_t asleep_ = 0;             // waiting workers, including those being woken
  std::size_t most_awake_ = at_once_;  // at_once_, plus one for each recent stall
  std::uint64_t taken_ = 0;
  bool watching_ = false;
  bool waking_ = false;  // a worker was woken and has not read the queue yet
  bool closed_ = false;
};

}  // namespace tideover::http
