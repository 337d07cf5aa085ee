// The requests of the benchmark, as bytes. Each generator belongs to one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>

namespace tideover::bench {

/// A review of a claim that was never seen before, under a random Idempotency-Key, as 36 hex characters; a body of
/// about 500 bytes.
class ReviewRequests {
 public:
  explicit ReviewRequests(std::string token);
  void operator()(std::string& text);

 private:
  std::string head_;
  std::mt19937_64 random_;
  std::string run_;  // tells the claims of this generator from those of others
  std::uint64_t claims_ = 0;
};

/// The same bytes again and again.
std::function<void(std::string&)> always(std::string request);

std::string get_request(const std::string& target, const std::string& token);
/// A POST with a body of 500 bytes.
std::string post_500_bytes();

}  // namespace tideover::bench
