// The threads for calls of plugins, so that a caller can leave a call that does not end. Threads are reused. Their
// number is limited by the callers that wait at the same time and by the calls that each plugin may leave unanswered.
// Thread-safe.
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

  /// The process has one pool. It is never destroyed, because a call that does not end keeps its thread.
  static CallThreads& shared();
  /// False when the system cannot create a thread.
  bool start(std::shared_ptr<Job> job);
  /// Runs `body` as `phase` of `plugin`. `body` must own everything it uses and must not throw. False when it did not
  /// end within `budget`.
  bool run_within(std::chrono::milliseconds budget, std::string plugin, const char* phase, std::function<void()> body);
  /// Number of jobs that still run although their caller has left: the process cannot be destroyed around them.
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
  std::vector<Worker*> idle_;  // guarded by mutex_; the last one worked most recently
};

}  // namespace tideover::plugin_host
