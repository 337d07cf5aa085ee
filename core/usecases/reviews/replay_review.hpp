// Repeats a stored review with its inputs: the claim and payer as they were, the model snapshot, and the rules of that
// time or others. Writes nothing.
//
// Threads: thread-safe; one replay at a time.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/claims/reason_code.hpp"
#include "core/estimators/state.hpp"
#include "core/ports/keyed_digest.hpp"
#include "core/ports/rules/rule_policy.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct ReviewDifference {
  std::string field;
  std::string recorded;
  std::string replayed;
};

struct ReplayedReview {
  domain::Review recorded;
  domain::Review replayed;                    // with the ids and times of the recorded one
  std::vector<ReviewDifference> differences;  // empty when both agree, apart from the bundle's name
};

class ReplayReview {
 public:
  ReplayReview(ports::Store& store, const ports::KeyedDigest& digests,
               const std::vector<domain::ReasonCode>& reason_codes, domain::Environment environment,
               estimators::Options options = {})
      : store_(store), digests_(digests), reason_codes_(reason_codes), environment_(environment), options_(options) {}

  /// `reference`: the id of the review or of its authorization.
  domain::Result<domain::Review> find(const domain::TenantId& tenant, const std::string& reference) const;
  /// Takes as long as learning everything that was learned before the review. Error invalid_state when the inputs of
  /// the review were not kept or have changed.
  domain::Result<ReplayedReview> operator()(const domain::TenantId& tenant, const domain::Review& recorded,
                                            ports::RulePolicy& rules);
  /// The same for a waiting request: the rules are compiled after the replay lock is taken. Error service_unavailable
  /// after `most`.
  using OpenRules = std::function<domain::Result<std::shared_ptr<ports::RulePolicy>>()>;
  domain::Result<ReplayedReview> operator()(const domain::TenantId& tenant, const domain::Review& recorded,
                                            const OpenRules& open, std::chrono::milliseconds most);

 private:
  using Until = std::optional<std::chrono::steady_clock::time_point>;
  domain::Result<ReplayedReview> make(const domain::TenantId& tenant, const domain::Review& recorded,
                                      ports::RulePolicy& rules, const Until& until) const;
  domain::Status learn(const domain::TenantId& tenant, const std::string& snapshot, estimators::State& state,
                       const Until& until) const;

  ports::Store& store_;
  const ports::KeyedDigest& digests_;
  const std::vector<domain::ReasonCode>& reason_codes_;
  const domain::Environment environment_;
  const estimators::Options options_;
  std::mutex busy_;
};

}  // namespace tideover::usecases
