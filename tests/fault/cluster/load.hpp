// Clients that review, adjudicate and confirm without a pause at both nodes, and remember every promise they were
// given.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/fault/cluster/two_nodes.hpp"

namespace tideover::test {

/// One advance, as its client saw it.
struct Promise {
  std::string identifier;     // of the claim
  std::string account;        // payout token
  std::string authorization;  // the review was acknowledged
  std::string settlement;     // the terms were
  std::string confirmation;   // the body of the confirm
};

class Load {
 public:
  using Clock = std::chrono::steady_clock;

  Load(const TwoNodes& nodes, std::string name);
  ~Load() { stop(); }

  /// Ends after the requests that are under way.
  void stop();

  /// Whether anything was acknowledged since.
  bool answered_since(Clock::time_point moment) const { return last_answer() > moment; }
  Clock::time_point last_answer() const { return Clock::time_point(Clock::duration(last_answer_)); }
  /// The longest time without any acknowledged write, begun or ended in between.
  std::chrono::milliseconds longest_gap(Clock::time_point from, Clock::time_point to);

  std::vector<Promise> promises();
  /// Answers that no client should get.
  std::vector<std::string> surprises();

 private:
  void work(int worker);
  /// Asks until it is answered for good; empty when the load ends before.
  std::string ask(class ApiConnection& api, const std::string& target, const std::string& body, const std::string& key);
  void note_answer();

  const TwoNodes& nodes_;
  const std::string name_;
  std::atomic<bool> stopping_ = false;
  std::atomic<Clock::rep> last_answer_ = 0;
  std::mutex lock_;
  std::vector<Clock::time_point> answers_;
  std::vector<Promise> promises_;
  std::vector<std::string> surprises_;
  std::vector<std::jthread> workers_;
};

}  // namespace tideover::test
