// The kill sweep of what moves money: one settlement after another is confirmed, or its residual paid out, by a process
// that something happens to at its n-th crash point, n = 1, 2, ... until it comes to its end untouched. Then the rest
// of the world goes on, and what became of the settlement is judged.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tests/fault/sweep/life.hpp"

namespace tideover::fault {

/// The kinds of rails by what they tell about a payment that was sent (tests/fault/rail).
inline constexpr const char* kRecalls[] = {"dedup", "fence", "query", "blind"};

struct Tally {
  int runs = 0;
  int kills = 0;                        // processes that were killed, those in recovery included
  int doubles = 0;                      // settlements that were paid twice
  int forgotten = 0;                    // payments that are not recorded
  std::vector<std::string> violations;  // each with how to repeat it

  Tally& operator+=(const Tally& other);
  void judge(Life& life, const std::string& how);
};

/// What happens at the point.
using Mishap = bool (Life::*)(long point);

struct SweepOptions {
  Mishap mishap = &Life::killed_at;
  std::uint32_t seed = 1;
  long first = 1;  // point
  long step = 1;   // every how many points
  bool first_violation_is_enough = false;
  Errand errand = Errand::confirm;
};

/// All points of one scenario. The site may be used again.
Tally kill_sweep(const Site& site, const Scenario& scenario, const SweepOptions& options);

}  // namespace tideover::fault
