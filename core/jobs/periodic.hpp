// One thread that calls `work` again and again: at once when poked or while there is more to do, else after `pause`.
// stop() ends it after the call that is under way; the destructor stops too.
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tideover::jobs {

class Periodic {
 public:
  /// `work` says whether it found something to do; it may ask stopping() in between. It must not throw.
  Periodic(std::chrono::milliseconds pause, std::function<bool()> work);
  ~Periodic() { stop(); }
  Periodic(const Periodic&) = delete;
  Periodic& operator=(const Periodic&) = delete;

  void start();
  void poke();
  void stop();
  bool stopping() const;

 private:
  void run();

  const std::chrono::milliseconds pause_;
  const std::function<bool()> work_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool poked_ = false;     // under mutex_
  bool stopping_ = false;  // under mutex_
  std::thread thread_;
};

}  // namespace tideover::jobs
