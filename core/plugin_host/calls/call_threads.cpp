#include "core/plugin_host/calls/call_threads.hpp"

#include <pthread.h>

#include <condition_variable>
#include <system_error>
#include <thread>

#include "core/plugin_host/calls/crash_note.hpp"

namespace tideover::plugin_host {
namespace {

constexpr std::size_t kMostIdle = 64;

}  // namespace

struct CallThreads::Worker {
  std::mutex mutex;
  std::condition_variable woken;
  std::shared_ptr<Job> job;  // guarded by mutex
};

CallThreads& CallThreads::shared() {
  static auto* const pool = new CallThreads;
  return *pool;
}

CallThreads::CallThreads() {
  idle_.reserve(kMostIdle);
  // A child of fork() has none of these threads; their memory is not freed there.
  pthread_atfork([] { shared().mutex_.lock(); }, [] { shared().mutex_.unlock(); },
                 [] {
                   shared().idle_.clear();
                   shared().mutex_.unlock();
                 });
}

bool CallThreads::start(std::shared_ptr<Job> job) {
  Worker* worker = nullptr;
  {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (!idle_.empty()) {
      worker = idle_.back();
      idle_.pop_back();
    }
  }
  if (worker) {
    // Under the lock: a job may end its thread, and with it the worker, before this thread could report it.
    const std::lock_guard<std::mutex> guard(worker->mutex);
    worker->job = std::move(job);
    worker->woken.notify_one();
    return true;
  }
  auto made = std::make_unique<Worker>();
  made->job = std::move(job);
  try {
    std::thread([this, given = std::move(made)]() mutable {
      const auto own = std::move(given);
      serve(*own);
    }).detach();
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

bool CallThreads::run_within(std::chrono::milliseconds budget, std::string plugin, const char* phase,
                             std::function<void()> body) {
  struct Step : Job {
    Step(std::string name, const char* doing, std::function<void()> given)
        : plugin(std::move(name)), phase(doing), body(std::move(given)) {}
    void work() override {
      const CrashNote note(plugin.c_str(), phase);
      body();
      const std::lock_guard<std::mutex> guard(mutex);
      is_over = true;
      if (is_abandoned) shared().abandoned_ended();
      ended.notify_one();
    }
    const std::string plugin;
    const char* const phase;
    const std::function<void()> body;
    std::mutex mutex;
    std::condition_variable ended;
    bool is_over = false;       // guarded by mutex
    bool is_abandoned = false;  // guarded by mutex
  };
  const auto step = std::make_shared<Step>(std::move(plugin), phase, std::move(body));
  if (!start(step)) return false;
  std::unique_lock<std::mutex> lock(step->mutex);
  if (step->ended.wait_for(lock, budget, [&] { return step->is_over; })) return true;
  step->is_abandoned = true;
  abandon();
  return false;
}

void CallThreads::serve(Worker& worker) {
  const CrashStack stack;
  do {
    std::shared_ptr<Job> job;
    {
      std::unique_lock<std::mutex> lock(worker.mutex);
      worker.woken.wait(lock, [&] { return worker.job != nullptr; });
      job = std::move(worker.job);
    }
    job->work();
  } while (is_kept(worker));
}

bool CallThreads::is_kept(Worker& worker) {
  const std::lock_guard<std::mutex> guard(mutex_);
  if (idle_.size() >= kMostIdle) return false;
  idle_.push_back(&worker);
  return true;
}

}  // namespace tideover::plugin_host
