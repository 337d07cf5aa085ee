// A call into a plugin on a thread of its own, so that its caller goes on when the deadline passes: the call is then
// abandoned, never repeated, and its late answer is dropped. A plugin that leaves too many calls unanswered gets no
// further one, because each holds a thread.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

#include "core/plugin_host/plugin_call.hpp"

namespace tideover::plugin_host {

inline constexpr int kMostUnanswered = 64;

/// `body` gets the instant at which its caller began to wait; `lost` makes the answer of a call that gave none, from the
/// reason.
template <class Answer>
Answer call_within(const std::shared_ptr<const Plugin>& plugin, const std::shared_ptr<std::atomic<int>>& unanswered,
                   const char* function, std::chrono::milliseconds timeout, Answer (*lost)(const std::string& reason),
                   std::function<Answer(std::chrono::steady_clock::time_point asked_at)> body) {
  if (unanswered->load() >= kMostUnanswered) {
    plugin->count(function, "unanswered", plugin->label() + " leaves too many calls unanswered; it gets no more");
    return lost("the rail does not answer");
  }
  /// Where a call and the one who waits for it meet.
  struct Meeting {
    std::mutex mutex;
    std::condition_variable answered;
    std::optional<Answer> answer;  // guarded by mutex
    bool is_abandoned = false;     // guarded by mutex
  };
  const auto meeting = std::make_shared<Meeting>();
  const auto asked_at = std::chrono::steady_clock::now();
  try {
    std::thread([plugin, unanswered, meeting, lost, asked_at, body = std::move(body)] {
      auto answer = lost("the call broke off");  // stays when something unforeseen, such as no memory, ends it
      try {
        answer = body(asked_at);
      } catch (const std::exception&) {
      }
      const std::lock_guard<std::mutex> guard(meeting->mutex);
      meeting->answer = std::move(answer);
      if (meeting->is_abandoned) --*unanswered;
      meeting->answered.notify_one();
    }).detach();
  } catch (const std::system_error&) {
    return lost("no thread was free to ask the rail");
  }
  std::unique_lock<std::mutex> lock(meeting->mutex);
  if (meeting->answered.wait_for(lock, timeout, [&] { return meeting->answer.has_value(); }))
    return std::move(*meeting->answer);
  meeting->is_abandoned = true;
  ++*unanswered;
  lock.unlock();
  const std::string message =
      plugin->label() + " did not answer " + function + " within " + std::to_string(timeout.count()) + " ms";
  plugin->count(function, "unanswered", message);
  return lost(message);
}

}  // namespace tideover::plugin_host
