// From a folder to a published ruleset, or to the full list of what is wrong with it: read → tables → compile → lint →
// run cases.
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
  Limits limits;  // of one rule on one claim
  TableSource tables{};
  Coverage* coverage = nullptr;                                    // hears which lines the cases reach
  std::function<bool(const std::string& payer_id)> knows_payer{};  // where somebody can be asked
};

struct LoadResult {
  std::shared_ptr<const Ruleset> ruleset;  // null unless there are no errors
  std::vector<RuleFileError> errors;       // all of them, not only the first
  std::vector<RuleFileError> doubts;       // what keeps nobody from using the rules
  std::string sha256;                      // of what was read; "" when the folder could not be read
  std::shared_ptr<const Bundle> bundle;    // what was read, if it could be
  CaseReport cases;                        // without their errors
};

LoadResult load_ruleset(const std::filesystem::path& folder, const LoadOptions& options);

/// Of files that were read before, and may come from a program that knew other rules: slips where no case leads, which
/// that one may not have looked for, are let pass.
LoadResult load_ruleset(Bundle bundle, const LoadOptions& options);

/// Only the digest of the folder's files and of the official tables; "" when they cannot be read.
std::string digest_of(const std::filesystem::path& folder, const TableSource& tables = {});

struct CheckReport {
  bool ok = false;
  std::string text;  // for a terminal
};

/// `tideover rules check`: everything the running service would check before it publishes.
CheckReport check_rules(const std::filesystem::path& folder, const LoadOptions& options);

}  // namespace tideover::lua
