#include "core/service/learning_job.hpp"

#include <exception>
#include <utility>

namespace tideover::service {
namespace {

constexpr std::chrono::seconds kAskEvery{5};
constexpr std::chrono::seconds kLogEvery{5};

}  // namespace

bool LearningJob::run(const jobs::Periodic& thread) {
  const auto stop = [&thread] { return thread.stopping(); };
  follow(stop);
  if (!keeps_journal()) return false;
  const auto written = journal_(stop);
  log_failure(log_, "learning_trouble", written);
  if (written && *written > 0) follow(stop);
  return false;  // a round writes all records; later ones wait for the next round
}

void LearningJob::learn_so_far() {
  const auto began = std::chrono::steady_clock::now();
  try {
    follow([] { return false; });
  } catch (const std::exception& thrown) {
    log_.error("learning_trouble", {{"problem", thrown.what()}});
  }
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
  if (took >= kLogEvery) log_.info("learned", {{"took_ms", static_cast<std::int64_t>(took.count())}});
}

void LearningJob::leave() {
  if (keeps_ && shared_) (void)shared_->done(std::chrono::milliseconds(0));
}

// Reads the current journal. A node of another version, or a damaged record, may give a different state: that is
// logged.
bool LearningJob::follow(const std::function<bool()>& stop) {
  auto logged_at = std::chrono::steady_clock::now();
  std::int64_t events = 0;
  const auto followed = learner_.follow([&](const usecases::Learner::Progress& progress) {
    metrics_.learned(static_cast<std::size_t>(progress.events - events));
    events = progress.events;
    if (const auto now = std::chrono::steady_clock::now(); now - logged_at >= kLogEvery) {
      logged_at = now;
      log_.info("learning",
                {{"batches", progress.batches}, {"events", progress.events}, {"batches_left", progress.behind}});
    }
    return !stop();
  });
  log_failure(log_, "learning_trouble", followed);
  log_exceptions();
  return followed && followed->events > 0;
}

void LearningJob::log_exceptions() {
  if (const auto skipped = learner_.skipped(); skipped > std::exchange(skipped_, skipped))
    log_.warning(
        "learning_skipped",
        {{"records", skipped}, {"hint", "these records are missing or cannot be read; predictions do not use them"}});
  if (const auto set_aside = learner_.set_aside(); set_aside > std::exchange(set_aside_, set_aside))
    log_.warning(
        "learning_set_aside",
        {{"records", set_aside},
         {"hint",
          "these records cannot be used for learning; predictions do not use them, and a task has the reason"}});
  if (const auto diverged = learner_.diverged(); diverged > std::exchange(diverged_, diverged))
    log_.error("learning_diverged", {{"times", diverged},
                                     {"hint",
                                      "this node has a different learned state than the writer of the journal; check "
                                      "that both run the same version"}});
}

bool LearningJob::keeps_journal() {
  if (!shared_) return true;
  const auto now = std::chrono::steady_clock::now();
  if (asked_at_ && now - *asked_at_ < kAskEvery) return keeps_;
  asked_at_ = now;
  const auto taken = shared_->take();
  log_failure(log_, "learning_trouble", taken);
  keeps_ = taken && *taken;
  if (!keeps_) journal_.forget();
  return keeps_;
}

}  // namespace tideover::service
