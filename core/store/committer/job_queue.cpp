#include "core/store/committer/job_queue.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tideover::store {

std::deque<Job>& JobQueue::line_of(Priority priority) {
  switch (priority) {
    case Priority::interactive:
      return interactive_;
    case Priority::background:
      return background_;
    case Priority::bulk:
      break;
  }
  return bulk_;
}

/// When the first bulk job is taken, unless other jobs arrive before.
JobQueue::Clock::time_point JobQueue::bulks_turn() const {
  return bulk_.empty() ? Clock::time_point::max()
                       : std::min(bulk_.front().since + bulk_patience_, last_interactive_ + kBulkPause);
}

JobQueue::Admission JobQueue::push(Job&& job) {
  {
    const std::lock_guard guard(mutex_);
    if (closed_) return Admission::closed;
    if (size() >= capacity_) return Admission::full;
    if (job.priority == Priority::interactive) last_interactive_ = job.since;
    line_of(job.priority).push_back(std::move(job));
    count_waiting();
  }
  changed_.notify_one();
  return Admission::accepted;
}

std::vector<Job> JobQueue::take(std::size_t most) {
  std::unique_lock guard(mutex_);
  while (!closed_ && interactive_.empty() && background_.empty() && Clock::now() < bulks_turn()) {
    if (bulk_.empty())
      changed_.wait(guard);
    else
      changed_.wait_until(guard, bulks_turn());
  }
  std::vector<Job> batch;
  batch.reserve(std::min(most, size()));
  const auto move_front = [&](std::deque<Job>& line) {
    batch.push_back(std::move(line.front()));
    line.pop_front();
  };
  if (!bulk_.empty() && (size() == bulk_.size() || Clock::now() - bulk_.front().since >= bulk_patience_)) {
    move_front(bulk_);
    return batch;
  }
  while (batch.size() < most && !interactive_.empty()) move_front(interactive_);
  const std::size_t background_most = batch.empty() ? most : batch.size() + 1;
  while (batch.size() < background_most && !background_.empty()) move_front(background_);
  count_waiting();
  return batch;
}

void JobQueue::put_back(std::vector<Job> jobs) {
  {
    const std::lock_guard guard(mutex_);
    for (auto job = jobs.rbegin(); job != jobs.rend(); ++job) line_of(job->priority).push_front(std::move(*job));
    count_waiting();
  }
  changed_.notify_one();
}

void JobQueue::close() {
  {
    const std::lock_guard guard(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

}  // namespace tideover::store
