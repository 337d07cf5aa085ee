// The threads on which calls of plugins run, so that the caller can leave a call that does not end. Threads are kept
// warm and used again. Their number is bounded by the callers that wait at once and by the calls that each plugin may
// leave unanswered. Thread-safe.
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
    virtual void work() = 0;  // throws nothing but what ends its thread
  };

  /// The process has one pool; it is never taken down, because a call that does not end keeps its thread.
  static CallThreads& shared();
  /// False when the system gives no thread.
  bool start(std::shared_ptr<Job> job);
  /// Runs `body`, which must own whatever it touches and throw nothing, as `phase` of `plugin`; false when it did not
  /// end within `budget`.
  bool run_within(std::chrono::milliseconds budget, std::string plugin, const char* phase, std::function<void()> body);
  /// Jobs whose caller has gone on and that have not ended: the process cannot be taken down around them.
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
  std::vector<Worker*> idle_;  // guarded by mutex_; the last one worked last
};

}  // namespace tideover::plugin_host
