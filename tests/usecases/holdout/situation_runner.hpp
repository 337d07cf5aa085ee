// Runs one situation of the hold-out (tests/data/holdout/remittances) through the real use cases and compares the end
// state with the expected one.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/service/json.hpp"
#include "tests/usecases/matching/proposal_world.hpp"

namespace tideover::tests {

/// Dates are moved by 52 weeks, so that weekdays stay and the clock of the world runs forward.
class SituationRunner : private ProposalWorld {
 public:
  explicit SituationRunner(const test::Json& situation) : situation_(situation) {}
  using ProposalWorld::teardown;

  /// One sentence for each difference from the expected end state, and for each wrong match after any event; empty: the
  /// situation ends right.
  std::vector<std::string> run();

 private:
  using Value = rapidjson::Value;

  // --- Before and between the events.
  void know_payers_and_claims();
  void fund_until(const std::string& date);
  domain::ClaimDraft claim_of(const Value& claim) const;
  void move_clock_to(const std::string& date);

  // --- Events. Each returns "" or why it could not happen.
  std::string happens(const Value& event);
  std::string arrives_remittance(const Value& event);
  std::string arrives_deposit(const Value& event);
  std::string deposit_returns(const Value& event);
  std::string pays_out(const Value& event);
  std::string payout_returns(const Value& event);
  std::string advance_returns(const Value& event);
  std::string decides(const Value& event);

  // --- Comparison.
  void compare_advances();
  void compare_sums();
  void compare_tasks();
  void find_wrong_matches();
  bool is_matched(const Value& forbidden);
  void differ(const std::string& what, const std::string& seen, const std::string& expected);
  void differ(const std::string& what, std::int64_t seen, std::int64_t expected);

  const test::Json& situation_;
  std::string today_;                                     // of the situation
  std::vector<std::string> funded_;                       // claim numbers
  std::map<std::string, domain::SettlementId> paid_out_;  // by event
  std::set<std::string> repeats_;                         // events that brought nothing new, and so match nothing
  std::vector<std::string> differences_;
};

}  // namespace tideover::tests
