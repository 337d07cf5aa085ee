// A background job of the service: a name, a period, and the work of one round. Each job has its own thread and runs
// round after round. Its members belong to that thread unless noted otherwise.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/domain/basics/result.hpp"
#include "core/jobs/periodic.hpp"
#include "core/ops/log.hpp"

namespace tideover::service {

class BackgroundJob {
 public:
  BackgroundJob(std::string name, std::chrono::milliseconds period) : name_(std::move(name)), period_(period) {}
  virtual ~BackgroundJob() = default;
  BackgroundJob(const BackgroundJob&) = delete;
  BackgroundJob& operator=(const BackgroundJob&) = delete;

  const std::string& name() const { return name_; }
  /// Time from the end of a round to the start of the next.
  std::chrono::milliseconds period() const { return period_; }
  /// One round. Returns true when there is more to do; the next round then starts at once. A long round must check
  /// `thread.stopping()` between its steps.
  virtual bool run(const jobs::Periodic& thread) = 0;

 private:
  const std::string name_;
  const std::chrono::milliseconds period_;
};

/// The jobs of a service and their threads.
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
  /// Asks all jobs to stop, so that their last rounds end in parallel. Does not wait.
  void ask_to_stop() {
    for (auto& thread : threads_) thread->ask_to_stop();
  }
  void stop() {
    for (auto& thread : threads_) thread->stop();
  }

 private:
  ops::Logger& log_;
  std::vector<std::unique_ptr<BackgroundJob>> jobs_;
  std::vector<std::unique_ptr<jobs::Periodic>> threads_;  // declared after the jobs that they run
};

/// Logs `code` with the error message.
template <class Outcome>
void log_failure(ops::Logger& log, const char* code, const Outcome& outcome) {
  if (!outcome) log.error(code, {{"problem", outcome.error().message}});
}

}  // namespace tideover::service
