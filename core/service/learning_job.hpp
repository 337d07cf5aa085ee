// Learns from the records of the database: follows the learning journal, and writes it on the node that keeps it.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "core/ops/metrics.hpp"
#include "core/service/background_job.hpp"
#include "core/usecases/learning/keep_learning_journal.hpp"
#include "core/usecases/learning/learner.hpp"
#include "core/usecases/nodes/shared_work.hpp"

namespace tideover::service {

class LearningJob : public BackgroundJob {
 public:
  /// `shared`: which node keeps the journal; null when there is one node.
  LearningJob(usecases::Learner& learner, usecases::KeepLearningJournal& journal, usecases::SharedWork* shared,
              ops::Logger& log, ops::Metrics& metrics)
      : BackgroundJob("learn", std::chrono::seconds(1)),
        learner_(learner),
        journal_(journal),
        shared_(shared),
        log_(log),
        metrics_(metrics) {}
  bool run(const jobs::Periodic& thread) override;

  /// Called before the first request and the first round, so that the first review uses the learned state. A failure
  /// does not stop the start; the job continues.
  void learn_so_far();
  /// Called after the last round: lets another node keep the journal at once.
  void leave();

  /// Time without a sign of life after which another node keeps the journal.
  static constexpr std::chrono::seconds kLease{20};

 private:
  bool follow(const std::function<bool()>& stop);
  void log_exceptions();
  bool keeps_journal();

  usecases::Learner& learner_;
  usecases::KeepLearningJournal& journal_;
  usecases::SharedWork* shared_;
  ops::Logger& log_;
  ops::Metrics& metrics_;
  std::optional<std::chrono::steady_clock::time_point> asked_at_;
  bool keeps_ = false;
  std::int64_t skipped_ = 0, set_aside_ = 0, diverged_ = 0;  // values last logged
};

}  // namespace tideover::service
