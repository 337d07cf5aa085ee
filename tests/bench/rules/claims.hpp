// Claims as a clinic sends them, made up from a seed: a few codes, payers and providers come again and again,
// identifiers and amounts hardly ever.
#pragma once
#include <cstdint>
#include <deque>
#include <random>

#include "core/ports/rules/rule_policy.hpp"

namespace tideover::bench {

/// How much of a claim there is.
enum class Shape { required_only, with_lines, with_everything };

struct BenchClaim {
  domain::ClaimDraft claim;
  domain::Payer payer;
  domain::ClaimHistory history;
  bool has_history = false;
  int duplicates = 0;

  ports::ClaimFacts facts() const {
    return {claim,
            payer,
            true,
            domain::ValidationProfile::standard,
            domain::Date::from_ymd(2026, 6, 15).value(),
            duplicates,
            has_history ? &history : nullptr};
  }
};

std::deque<BenchClaim> bench_claims(Shape shape, int count, std::uint32_t seed);

}  // namespace tideover::bench
