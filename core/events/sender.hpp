// Many HTTP POSTs at the same time on one thread (libcurl's multi interface): a receiver that never answers costs a
// socket, not a thread, and does not delay others. Each attempt is limited in time and in bytes read, follows no
// redirect, uses no proxy, and connects only to addresses that the EgressPolicy allows.
//
// One thread uses a Sender; only wake() may be called from other threads.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/events/address_guard.hpp"

namespace tideover::events {

class Sender {
 public:
  struct Message {
    std::string url;
    std::vector<std::string> headers;  // "Name: value", no line breaks
    std::string body;
  };
  struct Answer {
    std::uint64_t ticket = 0;
    int status = 0;  // 0: no complete response head was received
    std::int64_t retry_after_s = 0;
    std::string problem;  // why there is no status; otherwise empty
    std::int64_t took_ms = 0;
  };

  /// Throws std::runtime_error if libcurl cannot start.
  Sender(EgressPolicy policy, int timeout_ms);
  ~Sender();  // drops running attempts
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  /// Does not block; wait() returns the answer with the same ticket.
  void start(std::uint64_t ticket, Message message);
  /// Makes progress on all requests until an answer is there, wake() is called or `timeout` has passed.
  std::vector<Answer> wait(std::chrono::milliseconds timeout);
  void wake();
  std::size_t in_flight() const { return transfers_.size(); }

 private:
  class Library;
  struct Transfer;
  struct MultiHandle;

  void collect(std::vector<Answer>& answers);

  EgressPolicy policy_;
  int timeout_ms_;
  std::unique_ptr<Library> library_;
  std::unique_ptr<MultiHandle> multi_;
  std::map<std::uint64_t, std::unique_ptr<Transfer>> transfers_;
  std::atomic<bool> woken_{false};
};

}  // namespace tideover::events
