// Work that a running service does by itself: a name, a period, and what one round does. Each job runs on a thread of
// its own, round after round; its members belong to that thread unless they say otherwise.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/domain/basics/result.hpp"
#include "core/jobs/periodic.hpp"
#include "core/ops/log.hpp"

namespace tideover::main {

class BackgroundJob {
 public:
  BackgroundJob(std::string name, std::chrono::milliseconds period) : name_(std::move(name)), period_(period) {}
  virtual ~BackgroundJob() = default;
  BackgroundJob(const BackgroundJob&) = delete;
  BackgroundJob& operator=(const BackgroundJob&) = delete;

  const std::string& name() const { return name_; }
  /// From the end of a round to the start of the next one.
  std::chrono::milliseconds period() const { return period_; }
  /// One round. True: there is more to do, and the next round starts at once. A long round asks `thread.stopping()`
  /// between its steps.
  virtual bool run(const jobs::Periodic& thread) = 0;

 private:
  const std::string name_;
  const std::chrono::milliseconds period_;
};

/// The jobs of one service and their threads.
class BackgroundJobs {
 public:
  explicit BackgroundJobs(ops::Logger& log) : log_(log) {}

  void add(std::unique_ptr<BackgroundJob> job) {
    auto* const added = job.get();
    jobs_.push_back(std::move(job));
    threads_.push_back(std::make_unique<jobs::Periodic>(
        added->period(), [added](const jobs::Periodic& thread) { return added->run(thread); },
        [this, added](std::string_view problem) {
          log_.error("job_trouble", {{"job", added->name()}, {"problem", problem}});
        }));
  }
  void start() {
    for (auto& thread : threads_) thread->start();
  }
  /// All of them at once, so that their last rounds end side by side; does not wait.
  void ask_to_stop() {
    for (auto& thread : threads_) thread->ask_to_stop();
  }
  void stop() {
    for (auto& thread : threads_) thread->stop();
  }

 private:
  ops::Logger& log_;
  std::vector<std::unique_ptr<BackgroundJob>> jobs_;
  std::vector<std::unique_ptr<jobs::Periodic>> threads_;  // after the jobs that they run
};

/// Logs `code` with the message of what failed.
template <class Outcome>
void log_failure(ops::Logger& log, const char* code, const Outcome& outcome) {
  if (!outcome) log.error(code, {{"problem", outcome.error().message}});
}

}  // namespace tideover::main
