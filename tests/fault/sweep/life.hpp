// One settlement from its confirm, or its residual from its payout, to its rest, through whatever a test does to the
// processes that work on it.
#pragma once
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/fault/driver/child.hpp"
#include "tests/fault/driver/invariants.hpp"
#include "tests/fault/driver/test_service.hpp"

namespace tideover::fault {

/// How the banks behave: bank_book.hpp's scripts.
struct Scenario {
  std::string name;
  std::vector<std::string> submits;
  std::vector<std::string> questions;
  std::vector<std::string> other_submits = {};  // at the bank of the fallback
};

/// The behaviours that R1 asks for.
const std::vector<Scenario>& scenarios();
/// Those of a confirm with a fallback: the first bank refuses, or not, and what the other one does then.
const std::vector<Scenario>& fallback_scenarios();

/// Settlements of a site that wait for the errand, made in batches by a process of its own.
class Supply {
 public:
  explicit Supply(const Site& site, Errand errand = Errand::confirm);
  Advance next();

 private:
  const Site& site_;
  const Errand errand_;
  std::vector<Advance> waiting_;
};

class Life {
 public:
  Life(const Site& site, Banks& banks, const Scenario& scenario, std::string settlement, std::uint32_t seed,
       Errand errand = Errand::confirm);

  /// What happens to the process that does the errand. Each is false when it came to its end untouched.
  bool killed_at(long point);
  /// Its thread is held at the point, overtaken by the sweeper, then let go: a late writer.
  bool overtaken_at(long point);
  /// The database loses everything behind the point (SQLite).
  bool forgotten_behind(long point);
  /// By a runner of the test's own; `about_to_ask` runs in the child, just before.
  using Runner = std::function<ChildEnd(const std::function<std::string()>& work)>;
  bool errand_in(const Runner& run, const std::function<void()>& about_to_ask = {});

  /// The client asks again, recoveries are killed, late messages arrive.
  void go_on();
  /// What became of it, violations included.
  Fate judge();

  int kills() const { return kills_; }

 private:
  long dice(int sides) { return static_cast<long>(dice_() % static_cast<std::uint32_t>(sides)); }
  /// What the client hears twice when everything rests.
  struct Replies {
    bool rests = false;
    std::string first, second;
    std::vector<std::string> events;  // kinds
  };
  Replies replies_under(const std::string& key);
  Fate look(const std::vector<std::string>& events);
  std::string second_key() const { return key_ + "-second"; }
  void in_the_aftermath(long point, const std::function<void(TestService&)>& work);

  const Site& site_;
  Banks& banks_;
  const std::string settlement_;
  const Errand errand_;
  const std::string key_;
  std::mt19937 dice_;
  domain::Timestamp now_ = kOpening;
  std::string acknowledged_;  // what the client got; empty: nothing
  bool was_forgotten_ = false;
  bool gave_up_ = false;                 // the client never asks again
  bool asked_under_second_key_ = false;  // under a second key
  int kills_ = 0;
};

}  // namespace tideover::fault
