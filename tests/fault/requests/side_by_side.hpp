// The same thing done many times by a few threads.
#pragma once
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tideover::test {

/// Calls `work(i)` for 0 <= i < count on `threads` threads; the first exception is thrown here when all have ended.
inline void side_by_side(std::size_t count, int threads, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex failure_lock;
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i)
    running.emplace_back([&] {
      try {
        for (std::size_t at = next++; at < count; at = next++) work(at);
      } catch (...) {
        const std::lock_guard held(failure_lock);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    });
  for (auto& thread : running) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tideover::test
