#include "core/lua/ruleset/loader.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

#include "core/lua/ruleset/cases.hpp"
#include "core/lua/ruleset/money_types.hpp"
#include "core/lua/ruleset/static_checks.hpp"
#include "core/lua/vm/sandbox.hpp"

namespace tideover::lua {
namespace {

/// Findings of the static checks on lines that have no reported fault yet.
void add_slips(std::vector<RuleFileError>& errors, std::vector<RuleFileError> slips) {
  for (auto& slip : slips)
    if (std::none_of(errors.begin(), errors.end(),
                     [&](const auto& error) { return error.file == slip.file && error.line == slip.line; }))
      errors.push_back(std::move(slip));
}

enum class Reading { is_new, is_stored };

LoadResult load(BundleReading reading, const LoadOptions& options, Reading origin) {
  LoadResult result;
  result.sha256 = reading.bundle.sha256;
  result.errors = std::move(reading.errors);
  if (!result.errors.empty()) return result;

  const auto bundle = std::make_shared<const Bundle>(std::move(reading.bundle));
  result.bundle = bundle;
  auto tables = load_tables(bundle, *options.tables.file_cache);
  auto linted = lint_bundle(bundle, tables, options.codes);
  const bool tables_sound = tables.errors.empty();
  result.errors = std::move(tables.errors);
  result.errors.insert(result.errors.end(), std::make_move_iterator(linted.errors.begin()),
                       std::make_move_iterator(linted.errors.end()));
  // Valid rules run their cases even when another file has faults, so that one run reports everything.
  if (linted.params_sound && tables_sound) {
    result.cases = run_cases(linted.ruleset, options.limits, options.coverage);
    auto& failed = result.cases.errors;
    result.errors.insert(result.errors.end(), std::make_move_iterator(failed.begin()),
                         std::make_move_iterator(failed.end()));
    failed.clear();
  }
  if (origin == Reading::is_new) {
    if (linted.params_sound) {
      add_slips(result.errors, slips_of(*linted.ruleset, Sandbox(bundle, {}).global_names()));
      add_slips(result.errors, money_slips_of(*linted.ruleset));
    }
    add_slips(result.errors, encoding_slips_of(*linted.ruleset));
    result.doubts = doubts_of(*linted.ruleset, options.knows_payer);
  }
  if (result.errors.empty()) result.ruleset = std::move(linted.ruleset);
  return result;
}

/// An exception of `work` becomes a fault of `place`.
template <class Work>
LoadResult guarded(const std::string& place, Work work) {
  try {
    return work();
  } catch (const std::exception& failed) {
    LoadResult result;
    result.errors.push_back({place, 0, 0, failed.what(), {}});
    return result;
  }
}

}  // namespace

LoadResult load_ruleset(const std::filesystem::path& folder, const LoadOptions& options) {
  return guarded(folder.string(), [&] { return load(read_bundle(folder, options.tables), options, Reading::is_new); });
}

LoadResult load_ruleset(Bundle bundle, const LoadOptions& options) {
  const std::string name = bundle.sha256;
  return guarded(name, [&] {
    BundleReading reading{std::move(bundle), {}};
    find_official(reading, options.tables);
    return load(std::move(reading), options, Reading::is_stored);
  });
}

std::string digest_of(const std::filesystem::path& folder, const TableSource& tables) {
  try {
    return read_bundle(folder, tables).bundle.sha256;
  } catch (const std::exception&) {
    return {};
  }
}

CheckReport check_rules(const std::filesystem::path& folder, const LoadOptions& options) {
  const LoadResult loaded = load_ruleset(folder, options);
  CheckReport report;
  report.ok = loaded.ruleset != nullptr;
  for (const auto& error : loaded.errors) report.text += error.text() + "\n";
  for (auto doubt : loaded.doubts) {
    doubt.message = "warning: " + doubt.message;
    report.text += doubt.text() + "\n";
  }
  if (!report.ok) {
    report.text +=
        std::to_string(loaded.errors.size()) + " error(s) in " + folder.string() + ". Nothing was changed.\n";
    return report;
  }
  const Ruleset& rules = *loaded.ruleset;
  report.text += "rules " + rules.stamp.version + " (sha256 " + rules.stamp.sha256 + ")\n";
  for (const auto& rule : rules.denial) {
    report.text += "  " + rule.id + " rev " + std::to_string(rule.rev) + ", " + std::string(name_of(rule.mode)) + ", " +
                   rule.code + ":";
    for (std::size_t i = 0; i < kProfiles.size(); ++i)
      report.text +=
          " " + std::string(domain::name_of(kProfiles[i])) + "=" + std::string(name_of(rule.profiles[i].effect));
    report.text += "\n";
  }
  for (const auto& [name, table] : rules.tables) {
    const auto& from = table->provenance();
    report.text += "  table " + name + ": " + std::to_string(table->row_count()) + " rows, edition " +
                   (from.edition.empty() ? "unnamed" : from.edition) + ", sha256 " + from.sha256.substr(0, 12) + ", " +
                   from.file + "\n";
  }
  report.text += "  " + rules.terms.id + " rev " + std::to_string(rules.terms.rev) + "\n";
  if (!rules.recourse.file.empty())
    report.text += "  " + rules.recourse.id + " rev " + std::to_string(rules.recourse.rev) + "\n";
  report.text += std::to_string(loaded.cases.passed) + " cases passed\n";
  return report;
}

}  // namespace tideover::lua
