// Threads for calls of plugins, so that a caller can leave a call that does not end. Threads are reused. Their number
// is bounded by the callers that wait at once and by the calls that each plugin may leave unanswered. Thread-safe.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tideover::plugin_host {

class CallThreads {
 public:
  class Job {
   public:
    virtual ~Job() = default;
    virtual void work() = 0;  // throws only to end its thread
  };

  /// The pool of the process. It is never destroyed, because a call that does not end keeps its thread.
  static CallThreads& shared();
  /// False if the system cannot start a thread.
  bool start(std::shared_ptr<Job> job);
  /// Runs `body` as `phase` of `plugin`; false if it did not end within `budget`. `body` must own everything it uses
  /// and must not throw.
  bool run_within(std::chrono::milliseconds budget, std::string plugin, const char* phase, std::function<void()> body);
  /// Jobs without a caller that have not ended; the process cannot be destroyed while they run.
  int abandoned() const { return abandoned_; }
  void abandon() { ++abandoned_; }
  void abandoned_ended() { --abandoned_; }

 private:
  struct Worker;
  CallThreads();
  void serve(Worker& worker);
  bool is_kept(Worker& worker);

  std::atomic<int> abandoned_ = 0;
  std::mutex mutex_;
  std::vector<Worker*> idle_;  // guarded by mutex_; the most recent worker is last
};

}  // namespace tideover::plugin_host
