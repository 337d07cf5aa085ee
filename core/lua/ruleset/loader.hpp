// Loads a folder into a published ruleset, or into the full list of its faults. Steps: read, tables, compile, lint, run
// cases.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/lua/ruleset/cases.hpp"
#include "core/lua/ruleset/lint.hpp"
#include "core/lua/ruleset/ruleset.hpp"
#include "core/lua/vm/limits.hpp"

namespace tideover::lua {

struct LoadOptions {
  CodeSet codes;  // the reason-code catalogue
  Limits limits;  // per rule and claim
  TableSource tables{};
  Coverage* coverage = nullptr;  // records the lines that the cases reach; may be null
  std::function<bool(const std::string& payer_id)> knows_payer{};  // empty when no directory is available
};

struct LoadResult {
  std::shared_ptr<const Ruleset> ruleset;  // null unless there are no errors
  std::vector<RuleFileError> errors;       // all of them, not only the first
  std::vector<RuleFileError> doubts;       // warnings: the rules are usable
  std::string sha256;                      // of the files that were read; "" when the folder is unreadable
  std::shared_ptr<const Bundle> bundle;    // the files, if they were readable
  CaseReport cases;                        // without their errors
};

LoadResult load_ruleset(const std::filesystem::path& folder, const LoadOptions& options);

/// Loads files that were read before, possibly written for another version of the program: static faults that no case
/// reaches are accepted, because that version may not have checked for them.
LoadResult load_ruleset(Bundle bundle, const LoadOptions& options);

/// Only the digest of the folder's files and the official tables; "" when they are unreadable.
std::string digest_of(const std::filesystem::path& folder, const TableSource& tables = {});

struct CheckReport {
  bool ok = false;
  std::string text;  // for a terminal
};

/// `tideover rules check`: everything that the service checks before it publishes rules.
CheckReport check_rules(const std::filesystem::path& folder, const LoadOptions& options);

}  // namespace tideover::lua
