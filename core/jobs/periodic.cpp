#include "core/jobs/periodic.hpp"

#include <exception>

namespace tideover::jobs {

Periodic::Periodic(std::chrono::milliseconds pause, Work work, OnTrouble on_trouble)
    : pause_(pause), work_(std::move(work)), on_trouble_(std::move(on_trouble)) {}

void Periodic::start() {
  thread_ = std::thread([this] { run(); });
}

void Periodic::stop() {
  ask_to_stop();
  if (thread_.joinable()) thread_.join();
}

void Periodic::run() {
  while (!stopping()) {
    if (try_work()) continue;
    std::unique_lock held(mutex_);
    changed_.wait_for(held, stop_.get_token(), pause_, [] { return false; });
  }
}

bool Periodic::try_work() const {
  try {
    return work_(*this);
  } catch (const std::exception& thrown) {
    on_trouble_(thrown.what());
  } catch (...) {
    on_trouble_("unknown exception");
  }
  return false;
}

}  // namespace tideover::jobs
