// Follows payments that a rail took but may still return: asks the rail at the expected settlement, and once more after
// the return window. Workers take payments over by raising the epoch, as the resolver does.
//
// Threads: thread-safe.
#pragma once
#include <chrono>
#include <functional>

#include "core/usecases/funding/disburse.hpp"

namespace tideover::usecases {

struct FollowUpOptions {
  std::chrono::milliseconds query_timeout{10'000};
  std::chrono::milliseconds lease{60'000};
  /// Pauses between questions while the rail answers "accepted" or nothing; the last one repeats.
  std::vector<int> ask_again_after_s{60, 600, 3600};
};

class FollowUpPayments {
 public:
  FollowUpPayments(ports::Store& store, Disburse& disburse, ports::FundingRails& rails, const ports::Clock& clock,
                   ports::IdSource& ids, FollowUpOptions options)
      : store_(store), disburse_(disburse), rails_(rails), clock_(clock), ids_(ids), options_(std::move(options)) {}
  /// One round. Returns how many payments were checked. A payment that fails does not stop the others.
  domain::Result<int> operator()(const std::function<bool()>& stopping = [] { return false; });

 private:
  domain::Status follow_up(const domain::TenantId& tenant, domain::DisbursementAttempt attempt);
  domain::Status ask_again_at(const domain::TenantId& tenant, domain::DisbursementAttempt attempt, domain::Timestamp at,
                              const char* disagreement);

  ports::Store& store_;
  Disburse& disburse_;
  ports::FundingRails& rails_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
  const FollowUpOptions options_;
};

}  // namespace tideover::usecases
