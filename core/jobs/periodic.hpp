// One thread that calls `work` again and again: at once when poked or while there is more to do, else after `pause`.
// stop() ends it after the call that is under way; the destructor stops too. Whatever `work` throws is reported and
// taken for "nothing to do": one bad round ends neither the thread nor the process.
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
  /// Told on the thread of the work what it threw; must not throw itself.
  using OnTrouble = std::function<void(std::string_view problem)>;

  /// `work` says whether it found something to do; it may ask its job in between whether it is stopping().
  using Work = std::function<bool(const Periodic& self)>;

  Periodic(std::chrono::milliseconds pause, Work work, OnTrouble on_trouble);
  ~Periodic() { stop(); }
  Periodic(const Periodic&) = delete;
  Periodic& operator=(const Periodic&) = delete;

  void start();
  void poke();
  /// Does not wait: for the owner of several, who then stops each.
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
