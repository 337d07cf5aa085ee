// Counts token requests with a wrong client id or secret, by the client id that was sent, known or not: the answer does
// not show whether an id exists. After a few of them each further one has to wait, for 1, 2, 4 ... seconds. Only
// failures wait: the right secret is accepted at any time, so that a stranger who knows a client id cannot keep the
// client out. Ids share a fixed number of counts. Thread-safe.
#pragma once
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"

namespace tideover::usecases {

struct FailureLimits {
  int allowed = 10;         // failures without a wait; 0 = failures never wait
  int longest_wait_s = 60;  // also the time without failures after which earlier ones are forgotten
};

class FailedAuthentications {
 public:
  explicit FailedAuthentications(FailureLimits limits) : limits_(limits) {}

  /// Counts a failure. Returns the seconds to wait, 0 while failures are few. A failure during a wait does not prolong
  /// it.
  int failed(std::string_view client_id, domain::Timestamp now);

 private:
  static constexpr std::size_t kCounts = 16'384;
  struct Failures {
    int count = 0;
    std::int64_t quiet_since_ms = 0;  // end of the last wait, or the last failure without one
  };

  const FailureLimits limits_;
  std::mutex lock_;
  std::vector<Failures> failures_ = std::vector<Failures>(kCounts);  // by hash of the id
};

}  // namespace tideover::usecases
