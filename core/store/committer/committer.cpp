#include "core/store/committer/committer.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/store/committer/job_queue.hpp"
#include "core/store/committer/lane.hpp"

namespace tideover::store {

struct Committer::Lanes {
  Lanes(SessionFactory factory, const CommitterOptions& given)
      : open_session(std::move(factory)), options(given), queue(given.queue_capacity, given.bulk_patience) {}

  const SessionFactory open_session;
  const CommitterOptions options;
  JobQueue queue;
  Counters counters;
  std::vector<std::unique_ptr<Lane>> lanes;
  std::mutex drain_mutex;
  std::vector<std::thread> threads;  // guarded by drain_mutex once constructed
};

Committer::Committer(SessionFactory open_session, const CommitterOptions& options)
    : lanes_(std::make_unique<Lanes>(std::move(open_session), options)) {
  for (int i = 0; i < options.lanes; ++i) {
    lanes_->lanes.push_back(
        std::make_unique<Lane>(i, lanes_->open_session, lanes_->options, lanes_->queue, lanes_->counters));
  }
  for (const auto& lane : lanes_->lanes) lanes_->threads.emplace_back([&served = *lane] { served.serve(); });
}

Committer::~Committer() {
  drain();
}

CommitReport Committer::commit(Unit unit, Priority priority) {
  std::mutex mutex;
  std::condition_variable answered;
  std::optional<CommitReport> answer;
  commit_async(std::move(unit), priority, [&](CommitReport report) {
    // Notify under the lock, because the waiting caller destroys all three as soon as it wakes.
    const std::lock_guard guard(mutex);
    answer = std::move(report);
    answered.notify_one();
  });
  std::unique_lock guard(mutex);
  answered.wait(guard, [&] { return answer.has_value(); });
  return *std::move(answer);
}

void Committer::commit_async(Unit unit, Priority priority, Completion done) {
  Job job{std::move(unit), priority, std::move(done)};
  switch (lanes_->queue.push(std::move(job))) {  // a job that is refused is not moved
    case JobQueue::Admission::accepted:
      return;
    case JobQueue::Admission::full:
      job.done(  // NOLINT(bugprone-use-after-move)
          {CommitOutcome::refused_queue_full, std::nullopt,
           std::to_string(lanes_->options.queue_capacity) + " units already wait to be written; try again shortly"});
      return;
    case JobQueue::Admission::closed:
      // NOLINTNEXTLINE(bugprone-use-after-move)
      job.done({CommitOutcome::refused_stopping, std::nullopt, "the store is shutting down"});
      return;
  }
}

void Committer::drain() {
  lanes_->queue.close();
  const std::lock_guard guard(lanes_->drain_mutex);
  for (std::thread& thread : lanes_->threads) thread.join();
  lanes_->threads.clear();
}

CommitterStats Committer::stats() const {
  const Counters& counters = lanes_->counters;
  return {counters.batches, counters.units, counters.replays, counters.retries, counters.reconnects};
}

}  // namespace tideover::store
