// The result of a verification: figures for the summary, and the first faults with their exact place.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"

namespace tideover::usecases {

struct Breach {
  std::string where;  // "ledger chain n1/0, position 17 (transaction ltx_…)" or the rule that is broken
  std::string what;
};

struct Verification {
  std::int64_t chains = 0;
  std::int64_t rows = 0;
  std::int64_t rules = 0;
  std::int64_t checkpoints = 0;
  std::optional<domain::Timestamp> newest_checkpoint;
  std::optional<domain::Timestamp> restored;  // older checkpoints do not count since then
  std::int64_t breaches = 0;
  std::vector<Breach> first_breaches;

  bool holds() const { return breaches == 0; }
  void add(std::string where, std::string what) {
    constexpr std::size_t kMostNamed = 20;
    ++breaches;
    if (first_breaches.size() < kMostNamed) first_breaches.push_back({std::move(where), std::move(what)});
  }
};

/// Receives what is being verified. Returning false ends the verification early.
using VerificationProgress = std::function<bool(std::string_view)>;

}  // namespace tideover::usecases
