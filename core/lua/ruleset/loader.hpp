// Loads a folder into a ruleset, or returns all faults: read, tables, compile, lint, run cases.
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
  Coverage* coverage = nullptr;  // records which lines the cases reach; null when not needed
  std::function<bool(const std::string& payer_id)> knows_payer{};  // empty when no directory can be asked
};

struct LoadResult {
  std::shared_ptr<const Ruleset> ruleset;  // null unless there are no errors
  std::vector<RuleFileError> errors;       // all errors, not only the first
  std::vector<RuleFileError> doubts;       // warnings; the rules can be used
  std::string sha256;                      // of the files; "" when the folder could not be read
  std::shared_ptr<const Bundle> bundle;    // the files, if they could be read
  CaseReport cases;                        // without the errors of the cases
};

LoadResult load_ruleset(const std::filesystem::path& folder, const LoadOptions& options);

/// From files that were read before. A program with other static checks may have written them, so findings of static
/// checks on lines without a case are ignored.
LoadResult load_ruleset(Bundle bundle, const LoadOptions& options);

/// Only the digest of the folder's files and the official tables; "" when they are unreadable.
std::string digest_of(const std::filesystem::path& folder, const TableSource& tables = {});

struct CheckReport {
  bool ok = false;
  std::string text;  // for a terminal
};

/// `tideover rules check`: everything that the running service checks before it publishes.
CheckReport check_rules(const std::filesystem::path& folder, const LoadOptions& options);

}  // namespace tideover::lua
