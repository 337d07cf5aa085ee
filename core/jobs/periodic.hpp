// One thread that calls `work` repeatedly: at once when poked or while there is more to do, otherwise after `pause`.
// stop() ends it after the current call, as does the destructor. An exception of `work` is reported and means
// "nothing to do", so it ends neither the thread nor the process.
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
  /// Called with the exception text on the thread of the work; must not throw.
  using OnTrouble = std::function<void(std::string_view problem)>;

  /// `work` returns whether it found something to do; it may check stopping() in between.
  using Work = std::function<bool(const Periodic& self)>;

  Periodic(std::chrono::milliseconds pause, Work work, OnTrouble on_trouble);
  ~Periodic() { stop(); }
  Periodic(const Periodic&) = delete;
  Periodic& operator=(const Periodic&) = delete;

  void start();
  void poke();
  /// Does not wait: an owner of several threads requests all stops first.
  void ask_to_stop() { stop_.request_stop(); }
  void stop();
  bool stopping() const { return stop_.stop_requested(); }

 private:
  void run();
  bool try_work() const;

  const std::chrono::milliseconds pause_;
  const Work work_;
  const OnTrouble on_trouble_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool poked_ = false;  // under mutex_
  std::stop_source stop_;
  std::thread thread_;
};

}  // namespace tideover::jobs
