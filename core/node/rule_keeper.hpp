// Maintains the rules of a node: stores the bundles of its folder, and applies the live bundle of the store at the
// time that the store sets for all nodes. A bundle that cannot be used changes nothing: the last valid rules stay in
// use. Thread-safe.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/domain/reviews/rule_bundle.hpp"
#include "core/lua/engine/engine.hpp"
#include "core/lua/ruleset/loader.hpp"
#include "core/ops/log.hpp"
#include "core/ops/metrics.hpp"
#include "core/ops/readiness.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/store.hpp"
#include "core/settings/settings.hpp"
#include "core/usecases/rules/release_rules.hpp"

namespace tideover::main {

usecases::ReleaseRulesOptions release_options(const settings::Settings& settings);

/// The bundle as `release` takes it. A bundle with errors is stored with the first of them.
usecases::RuleFiling filing_of(const lua::LoadResult& loaded);

/// The live rules of the store, compiled by this program. Without ruleset if they cannot be used; nullopt before the
/// first start. Throws StartError if the store cannot be read.
std::optional<lua::LoadResult> live_ruleset(ports::Store& store, const lua::LoadOptions& options);

/// Error invalid_state with the first error if this program cannot use the bundle.
domain::Status usable(const domain::RuleBundle& bundle, const lua::LoadOptions& options);

struct FirstRules {
  std::shared_ptr<const lua::Ruleset> ruleset;
  std::optional<lua::LoadResult> from_folder;  // none if they are the live ones
  std::string why_folder;
};

/// The rules for a start: the live rules, otherwise those of the folder. The folder is used before the first start,
/// or if this program cannot use the live rules and promotion is automatic (no approval, no pin by a rollback).
/// Changes nothing. Throws StartError if there are none.
FirstRules choose_first_rules(ports::Store& store, const settings::Settings& settings, const lua::LoadOptions& options);

/// As choose_first_rules(); rules of the folder become live.
std::shared_ptr<const lua::Ruleset> first_ruleset(ports::Store& store, usecases::ReleaseRules& release,
                                                  const settings::Settings& settings, const lua::LoadOptions& options);

class RuleKeeper {
 public:
  struct Places {
    ports::Store& store;
    const ports::Clock& clock;
    usecases::ReleaseRules& release;
    lua::Engine& engine;
    ops::Logger& log;
    ops::Metrics& metrics;
    ops::Readiness& readiness;
    const std::string& reason_codes_problem;  // "" if the catalogue of the file is in use
  };

  RuleKeeper(Places places, const settings::Settings& settings, const lua::LoadOptions& options);

  /// Reads the folder. Returns false if the store could not be read.
  bool follow_folder(const lua::LoadResult& folder);
  /// Prepares the bundle for a switch. Error invalid_state if this node cannot use it.
  domain::Status get_ready(const domain::RuleBundle& bundle);
  /// Prepares the live rules and switches when their time has come. Returns true if there was work.
  bool follow_store();
  /// Sets the text about a failing rule; it is shown until other rules are live.
  void note_failing(const std::string& what);
  /// Reports the rules in use and problems to readiness.
  void report() const;
  /// Text for operators.
  std::string status() const;

 private:
  struct Folder {
    std::string sha256;  // "" if it cannot be read
    std::string version;
    std::string problem;  // why it is not live; "" if it is
    std::size_t problems = 0;
  };

  /// The last valid content of the folder.
  struct Offered {
    std::string sha256;
    std::string files;  // digest without official tables
  };

  void tell_readiness() const;  // requires mutex_
  domain::Status offer(const lua::LoadResult& folder, bool is_first_look);
  std::shared_ptr<const lua::Ruleset> prepare(const std::string& sha256);
  void keep(std::shared_ptr<const lua::Ruleset> ruleset);

  const Places places_;
  const settings::Settings& settings_;
  const lua::LoadOptions& options_;
  const std::string node_;
  mutable std::mutex mutex_;
  Folder folder_;  // guarded by mutex_, like all members below
  bool has_looked_ = false;
  Offered offered_;
  std::int64_t generation_ = 0;     // of the rules in use, or of those that could not be prepared
  std::string unusable_;            // why the live rules are not in use on this node
  domain::Timestamp try_again_at_;  // next try with unusable live rules
  bool is_pinned_ = false;
  std::string failing_;  // rules that failed too often, and their state; "" for none
  domain::Timestamp switched_at_;
  std::map<std::string, std::shared_ptr<const lua::Ruleset>>
      prepared_;  // recently used rulesets, so that a rollback needs no compilation
};

}  // namespace tideover::main
