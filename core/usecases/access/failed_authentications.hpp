// Counts token requests with a wrong secret per client, and those with an unknown client id together. After a few of
// them each further one has to wait, for 1, 2, 4 ... seconds. Only failures wait: the right secret is accepted at any
// time, so that a stranger who knows a client id cannot keep the client out. Memory is bounded. Thread-safe.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"

namespace tideover::usecases {

struct FailureLimits {
  int allowed = 10;         // failures without a wait; 0 = failures never wait
  int longest_wait_s = 60;  // also the time without failures after which earlier ones are forgotten
};

class FailedAuthentications {
 public:
  explicit FailedAuthentications(FailureLimits limits) : limits_(limits) {}

  /// Counts a failure; nullopt: the client id is unknown. Returns the seconds to wait, 0 while failures are few. A
  /// failure during a wait does not prolong it.
  int failed(const std::optional<domain::ClientId>& client, domain::Timestamp now);
  std::size_t size() const;

  static constexpr std::size_t kMostClients = 10'000;

 private:
  struct Failures {
    int count = 0;
    std::int64_t quiet_since_ms = 0;  // end of the last wait, or the last failure without one
  };
  void evict(std::int64_t now_ms);

  const FailureLimits limits_;
  mutable std::mutex lock_;
  std::map<std::string, Failures> failures_;  // by client; "" = unknown ids
};

}  // namespace tideover::usecases
