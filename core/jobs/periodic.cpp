#include "core/jobs/periodic.hpp"

namespace tideover::jobs {

Periodic::Periodic(std::chrono::milliseconds pause, std::function<bool()> work) : pause_(pause), work_(std::move(work)) {}

void Periodic::start() {
  thread_ = std::thread([this] { run(); });
}

void Periodic::poke() {
  {
    std::lock_guard held(mutex_);
    poked_ = true;
  }
  changed_.notify_one();
}

void Periodic::stop() {
  {
    std::lock_guard held(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

bool Periodic::stopping() const {
  std::lock_guard held(mutex_);
  return stopping_;
}

void Periodic::run() {
  while (!stopping()) {
    const bool more = work_();
    std::unique_lock held(mutex_);
    if (!more) changed_.wait_for(held, pause_, [this] { return poked_ || stopping_; });
    poked_ = false;
  }
}

}  // namespace tideover::jobs
