// The shipped rules, asked about the claims of a book as a service asks them: same engine, the book's tables as the operator's.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/domain/claim_history.hpp"
#include "core/lua/engine.hpp"
#include "tests/bench/claimsim/book.hpp"

namespace tideover::claimsim {

class BookRules {
 public:
  /// Throws std::runtime_error with the first fault when the rules do not load.
  BookRules(const std::filesystem::path& rules, const std::filesystem::path& book);

  /// Call it once for each claim, in the order of the book: it counts the look-alikes before.
  std::vector<estimators::FiredRule> fired(const BookClaim& claim, const domain::ClaimHistory& history);
  double seconds() const { return seconds_; }  // of processor time, in the engine

 private:
  std::unique_ptr<lua::Engine> engine_;
  std::unordered_map<std::string, int> services_;  // how often billed, by what makes two claims the same service
  double seconds_ = 0;
};

}  // namespace tideover::claimsim
