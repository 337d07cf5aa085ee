// The remittance advice of a payout to a practice (core/docs/waterfall.md#remittance-advice).
//
// Threads: thread-safe.
#pragma once
#include <functional>

#include "core/domain/payouts/advice.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

class ReadAdvice {
 public:
  /// The most lines of one advice.
  static constexpr std::size_t kMostLines = 50'000;
  using Visit = std::function<void(const domain::AdviceLine&)>;

  explicit ReadAdvice(ports::Store& store) : store_(store) {}

  /// The payout, if it can have an advice: it was paid, although it may have been returned since. Errors not_found and
  /// invalid_state.
  domain::Result<domain::DisbursementAttempt> payout(const domain::TenantId& tenant, const std::string& id) const;
  /// Calls `visit` for each line of the payout, in order of posting. Reads page by page: what a payout covers never
  /// changes. Error invalid_state when there are more than kMostLines.
  domain::Status lines(const domain::TenantId& tenant, const domain::DisbursementAttempt& payout,
                       const Visit& visit) const;

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases
