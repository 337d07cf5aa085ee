// What other rules would have done to the claims of the past, in decisions and in money: every recorded review is made anew under the rules that
// decide now and under the candidate, each with what was known then and what its own findings would have taught by then, and held against what the
// payers answered.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/reason_code.hpp"
#include "core/domain/terms.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/keyed_digest.hpp"
#include "core/ports/payer_directory.hpp"
#include "core/ports/rule_policy.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// How often a rule spoke, and how often it was right. Of claims that were answered.
struct RuleRecord {
  std::int64_t fired = 0;
  std::int64_t denied = 0;         // of these
  domain::Money charge_flagged;    // of all claims it fired on, answered or not
};

/// What one set of rules would have done.
struct BacktestSide {
  std::array<std::array<std::int64_t, 2>, 2> predicted{};  // [predicted][denied], of answered claims
  std::array<std::int64_t, 3> decisions{};                 // by domain::Decision
  std::int64_t refused = 0;                                // claims that the rules turn away; among those declined
  std::int64_t faults = 0;                                 // reviews in which a rule failed
  domain::Money advanced;
  domain::Money fees;
  domain::Money lost;           // of advances on matured claims: what the payer did not pay, non-recourse
  domain::Money matured;        // those advances
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
  std::int64_t reviews = 0;   // the latest of each claim
  std::int64_t answered = 0;
  std::int64_t denied = 0;    // of these
  std::int64_t flips = 0;     // another decision
  std::array<std::array<std::int64_t, 3>, 3> decisions{};  // [before][after]
  BacktestSide before, after;
  std::vector<BacktestFlip> examples;  // of flips, those with the largest change of advance first
};

struct BacktestOptions {
  std::optional<domain::Date> from, to;  // by the day of the review; both inclusive
  std::size_t examples = 10;
  int matured_days = 90;  // from the review; a claim with an answer is mature before
};

class BacktestRules {
 public:
  BacktestRules(ports::Store& store, ports::PayerDirectory& payers, const std::vector<domain::ReasonCode>& reason_codes, const domain::TermsLimits& limits,
                domain::Environment environment, const ports::KeyedDigest& digests)
      : store_(store), payers_(payers), reason_codes_(reason_codes), limits_(limits), environment_(environment), digests_(digests) {}

  /// `progress` hears the number of reviews done; false ends it early (the report is of what was done by then).
  domain::Result<BacktestReport> operator()(const domain::Tenant& tenant, ports::RulePolicy& before, ports::RulePolicy& after, domain::Timestamp now,
                                            const BacktestOptions& options, const std::function<bool(std::int64_t)>& progress);

 private:
  ports::Store& store_;
  ports::PayerDirectory& payers_;
  const std::vector<domain::ReasonCode>& reason_codes_;
  const domain::TermsLimits limits_;
  const domain::Environment environment_;
  const ports::KeyedDigest& digests_;
};

}  // namespace tideover::usecases
