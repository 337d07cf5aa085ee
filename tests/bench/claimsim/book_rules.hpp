// The rules that a book's tables make possible, evaluated without a rule engine, so that the estimators can be measured by themselves. Ids, weights
// and strengths are those of the starter pack.
#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/domain/claim_history.hpp"
#include "core/estimators/submission.hpp"

namespace tideover::claimsim {

class BookRules {
 public:
  /// Reads `book`/tables; a table that is not there holds nothing.
  explicit BookRules(const std::filesystem::path& book);

  std::vector<estimators::FiredRule> fired(const estimators::Submission& claim, const domain::ClaimHistory& history) const;

 private:
  struct Limit {
    std::int64_t units = 0;
    bool absolute = false;
  };
  std::map<std::pair<std::string, std::string>, bool> pairs_;  // column 1, column 2 -> a modifier may tell them apart
  std::map<std::string, Limit> unit_limits_;
  std::map<std::string, std::set<std::string>> primaries_;     // of an add-on
  std::set<std::pair<std::string, std::string>> authorized_;   // payer, code
  std::map<std::string, bool> modifiers_;                      // known ones; whether they tell services apart
};

}  // namespace tideover::claimsim
