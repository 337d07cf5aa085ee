// A thread that calls `work` repeatedly: at once while there is more to do, else after `pause`. stop() ends it after
// the current call; the destructor stops too. An exception of `work` is reported and means "nothing to do": a failed
// round ends neither the thread nor the process.
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <thread>

namespace tideover::jobs {

class Periodic {
 public:
  /// Called on the thread of the work with the text of its exception; must not throw.
  using OnTrouble = std::function<void(std::string_view problem)>;

  /// `work` returns whether it found something to do. During a call it may check stopping().
  using Work = std::function<bool(const Periodic& self)>;

  Periodic(std::chrono::milliseconds pause, Work work, OnTrouble on_trouble);
  ~Periodic() { stop(); }
  Periodic(const Periodic&) = delete;
  Periodic& operator=(const Periodic&) = delete;

  void start();
  /// Does not wait: the owner of several jobs can then stop each.
  void ask_to_stop() { stop_.request_stop(); }
  void stop();
  bool stopping() const { return stop_.stop_requested(); }

 private:
  void run();
  bool try_work() const;

  const std::chrono::milliseconds pause_;
  const Work work_;
  const OnTrouble on_trouble_;
  std::mutex mutex_;  // for the pause, which stop() ends
  std::condition_variable_any changed_;
  std::stop_source stop_;
  std::thread thread_;
};

}  // namespace tideover::jobs
