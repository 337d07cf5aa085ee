// What other rules would have done to the claims of the past, in decisions and in money: every recorded review is made
// anew under the rules that decide now and under the candidate, from the claim, the payer's record and the profile of
// its day, with what its own findings would have taught by then, and held against the answers that came after it. All
// of it is read from the learning journal: what that does not hold yet is left out.
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

/// How often a rule spoke, and how often it was right. Of reviews that were answered.
struct RuleRecord {
  std::int64_t fired = 0;
  std::int64_t denied = 0;       // of these
  domain::Money charge_flagged;  // of all reviews it fired on, answered or not
};

/// What one set of rules would have done.
struct BacktestSide {
  std::array<std::array<std::int64_t, 2>, 2> predicted{};  // [predicted][denied], of answered reviews
  std::array<std::int64_t, 3> decisions{};                 // by domain::Decision
  std::int64_t refused = 0;  // reviews of claims that the rules turn away; among those declined
  std::int64_t faults = 0;   // reviews in which a rule failed
  domain::Money advanced;    // a claim is advanced once: by its first review that is approved
  domain::Money fees;
  domain::Money lost;                       // of advances that are mature: what the payer did not pay, non-recourse
  domain::Money matured;                    // those advances
  std::map<std::string, RuleRecord> rules;  // shadow rules count as well
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
  std::int64_t reviews =
      0;  // that are judged: of each claim the newest before an answer, and again the newest behind it
  std::int64_t answered = 0;  // of these, by what came after them
  std::int64_t denied = 0;    // of those
  std::int64_t flips = 0;     // another decision
  std::int64_t left_out = 0;  // records: what a review was made from was not kept yet, or cannot be read
  std::array<std::array<std::int64_t, 3>, 3> decisions{};  // [before][after]
  BacktestSide before, after;
  std::vector<BacktestFlip> examples;  // of flips, those with the largest change of advance first
};

struct BacktestOptions {
  std::optional<domain::Date> from, to;  // by the day of the review; both inclusive
  std::size_t examples = 10;
  int matured_days = 90;  // from the review; one with an answer is mature before
};

class BacktestRules {
 public:
  BacktestRules(ports::Store& store, const std::vector<domain::ReasonCode>& reason_codes,
                const domain::TermsLimits& limits, domain::Environment environment, const ports::KeyedDigest& digests)
      : store_(store), reason_codes_(reason_codes), limits_(limits), environment_(environment), digests_(digests) {}

  /// `progress` hears the number of reviews done; false ends it early (the report is of what was done by then).
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
