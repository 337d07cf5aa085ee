#include "core/store/committer/job_queue.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tideover::store {

JobQueue::Admission JobQueue::push(Job&& job) {
  {
    const std::lock_guard guard(mutex_);
    if (closed_) return Admission::closed;
    if (interactive_.size() + background_.size() >= capacity_) return Admission::full;
    line_of(job.priority).push_back(std::move(job));
    count_waiting();
  }
  changed_.notify_one();
  return Admission::accepted;
}

std::vector<Job> JobQueue::take(std::size_t most) {
  std::unique_lock guard(mutex_);
  changed_.wait(guard, [&] { return closed_ || !empty(); });
  std::vector<Job> batch;
  batch.reserve(std::min(most, interactive_.size() + background_.size()));
  const auto move_front = [&](std::deque<Job>& line) {
    batch.push_back(std::move(line.front()));
    line.pop_front();
  };
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
