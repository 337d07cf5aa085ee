// Situations of remittances as rows of a table: arrivals, balance of the remittances, postings to each advance, final
// account balances, and tasks left for a reviewer. A bill of 1000.00 expects 800.00: 640.00 are advanced for 12.80.
// Debits are positive: `suspense_unmatched -210.00` is unmatched money, `carried_balances -790.00` is still to be
// withheld by payers.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/usecases/matching/matching_steps_world.hpp"

namespace tideover::tests {

struct Situation {
  const char* what;
  std::vector<Advance> advances;
  std::vector<std::variant<Cash, Remittance>> arrivals;
  const char* balance;  // of each remittance: claims and adjustments less the payment
  const char* postings;
  const char* holdings;
  const char* ends;  // deposits and tasks
};

/// A remittance with defaults for all other fields.
inline Remittance pays(const char* name, const char* trace, std::vector<PaidClaim> claims,
                       std::vector<Plb> adjustments = {}) {
  Remittance remittance{name, trace, std::move(claims)};
  remittance.adjustments = std::move(adjustments);
  return remittance;
}
inline PaidClaim back(const char* name, std::int64_t cents, std::int64_t charge = 100'000) {
  return {name, -cents, -charge, std::nullopt, "22"};
}
inline PaidClaim denied(const char* name) {
  return {name, 0, 100'000, std::nullopt, "4"};
}

struct SituationWorld : MatchingStepsWorld {
  std::string verdicts() {
    std::vector<std::string> lines;
    for (const auto& [name, id] : remittances) {
      const auto stored = seen([&, remittance = id](const ports::Records& records) {
        return records.remittances().find(caller.tenant, remittance);
      });
      lines.push_back(name + ' ' +
                      (balance_of(stored->draft).balanced()
                           ? "balanced"
                           : "off by " + format_money(balance_of(stored->draft).difference)));
    }
    return joined(lines);
  }
  std::string rest() {
    std::vector<std::string> lines;
    for (const auto& [name, id] : deposits)
      lines.push_back(name + ' ' + std::string(name_of(seen([&, deposit = id](const ports::Records& records) {
                                                         return records.deposits().find(caller.tenant, deposit);
                                                       })->status)));
    for (const auto& task : tasks()) lines.push_back(task.kind + " about " + names[task.object_id]);
    return joined(lines);
  }
};

/// Runs each row in a world of its own and compares its results.
inline void check_situations(const std::vector<Situation>& situations) {
  for (const auto& row : situations) BOOST_TEST_CONTEXT(row.what) {
      SituationWorld world;
      for (const auto& advance : row.advances) world.fund(advance);
      for (const auto& arrival : row.arrivals) std::visit([&](const auto& what) { world.arrives(what); }, arrival);
      BOOST_TEST(world.verdicts() == row.balance);
      BOOST_TEST(world.postings() == row.postings);
      BOOST_TEST(world.holdings() == row.holdings);
      BOOST_TEST(world.rest() == row.ends);
      world.teardown();
    }
}

}  // namespace tideover::tests
