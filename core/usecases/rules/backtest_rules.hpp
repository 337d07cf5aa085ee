// Compares other rules with the live rules on stored reviews, in decisions and money. Each recorded review is made
// again under both sets of rules: from the claim, the payer's record and the profile of its day, with the model that
// its own findings would have produced. The answers that came later grade both. Everything is read from the learning
// journal; records that are not in it yet are left out.
//
// Threads: thread-safe. Takes as long as learning the whole journal twice.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/claims/reason_code.hpp"
#include "core/domain/funding/terms.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/keyed_digest.hpp"
#include "core/ports/rules/rule_policy.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// How often a rule fired and how often it was right, over answered reviews.
struct RuleRecord {
  std::int64_t fired = 0;
  std::int64_t denied = 0;       // of those, denied
  domain::Money charge_flagged;  // of all reviews on which it fired, answered or not
};

/// The results of one set of rules.
struct BacktestSide {
  std::array<std::array<std::int64_t, 2>, 2> predicted{};  // [predicted][denied], of answered reviews
  std::array<std::int64_t, 3> decisions{};                 // by domain::Decision
  std::int64_t refused = 0;  // reviews of claims that the rules refuse; counted as declined
  std::int64_t faults = 0;   // reviews in which a rule failed
  domain::Money advanced;    // each claim once, by its first approved review
  domain::Money fees;
  domain::Money lost;                       // of mature advances: what the payer did not pay
  domain::Money matured;                    // the mature advances
  std::map<std::string, RuleRecord> rules;  // including shadow rules
};

struct BacktestFlip {
  std::string claim_identifier;
  domain::Decision before = domain::Decision::manual_review, after = domain::Decision::manual_review;
  int before_bps = 0, after_bps = 0;  // denial probability
  domain::Money advance_before, advance_after;
  std::string answer;  // "denied", "paid 790.00", or empty
};

struct BacktestReport {
  std::int64_t claims = 0;
  std::int64_t reviews = 0;   // judged: per claim the newest before an answer, and again the newest after it
  std::int64_t answered = 0;  // of those, with an answer
  std::int64_t denied = 0;    // of those, denied
  std::int64_t flips = 0;     // different decisions
  std::int64_t left_out = 0;  // records whose inputs were not stored or are unreadable
  std::array<std::array<std::int64_t, 3>, 3> decisions{};  // [before][after]
  BacktestSide before, after;
  std::vector<BacktestFlip> examples;  // flips, largest change of the advance first
};

struct BacktestOptions {
  std::optional<domain::Date> from, to;  // the day of the review; both inclusive
  std::size_t examples = 10;
  int matured_days = 90;  // after the review; an answered one is mature earlier
};

class BacktestRules {
 public:
  BacktestRules(ports::Store& store, const std::vector<domain::ReasonCode>& reason_codes,
                const domain::TermsLimits& limits, domain::Environment environment, const ports::KeyedDigest& digests)
      : store_(store), reason_codes_(reason_codes), limits_(limits), environment_(environment), digests_(digests) {}

  /// `progress` gets the number of finished reviews. Returning false ends the backtest early with a report so far.
  domain::Result<BacktestReport> operator()(const domain::TenantId& tenant, ports::RulePolicy& before,
                                            ports::RulePolicy& after, domain::Timestamp now,
                                            const BacktestOptions& options,
                                            const std::function<bool(std::int64_t)>& progress);

 private:
  ports::Store& store_;
  const std::vector<domain::ReasonCode>& reason_codes_;
  const domain::TermsLimits limits_;
  const domain::Environment environment_;
  const ports::KeyedDigest& digests_;
};

}  // namespace tideover::usecases
