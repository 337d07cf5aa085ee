// The shipped rules, asked about the claims of a book as a service asks them: same engine, the book's tables as the
// operator's.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/domain/claims/claim_history.hpp"
#include "core/domain/funding/terms.hpp"
#include "core/estimators/state.hpp"
#include "core/lua/engine/engine.hpp"
#include "tests/bench/claimsim/book.hpp"

namespace tideover::claimsim {

class BookRules {
 public:
  /// Throws std::runtime_error with the first fault when the rules do not load.
  BookRules(const std::filesystem::path& rules, const std::filesystem::path& book);

  /// Call it once for each claim, in the order of the book: it counts the look-alikes before.
  std::vector<estimators::FiredRule> fired(const BookClaim& claim, const domain::ClaimHistory& history);
  /// What is advanced on the claim that was asked about last, without an operator: the whole way of a review and its
  /// terms. An empty portfolio.
  domain::Money advance(const BookClaim& claim, const estimators::State& state, const domain::ClaimHistory& history);
  double seconds() const { return seconds_; }  // of processor time, in the engine
  /// How often terms gave which reason.
  const std::map<std::string, long>& reasons() const { return reasons_; }

 private:
  std::unique_ptr<lua::Engine> engine_;
  ports::ClaimFacts facts_of(const BookClaim& claim, const domain::ClaimHistory& history, int duplicates);

  domain::Payer payer_;  // of the claim that was asked about last, as what was found in it
  int duplicates_ = 0;
  ports::DenialAssessment assessed_;
  std::unordered_map<std::string, int> services_;  // how often billed, by what makes two claims the same service
  double seconds_ = 0;
  std::map<std::string, long> reasons_;
};

}  // namespace tideover::claimsim
