// The rules of a node. It files the bundle in its folder in the store, and uses the bundle that the store says is live,
// from the effective time on that all nodes share. An invalid bundle changes nothing: the last valid rules stay in use.
// Thread-safe.
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

namespace tideover::node {

usecases::ReleaseRulesOptions release_options(const settings::Settings& settings);

/// The bundle in the form that `release` files. An invalid bundle is filed with its first error.
usecases::RuleFiling filing_of(const lua::LoadResult& loaded);

/// The live rules of the store, compiled by this program; without a ruleset when they are not valid, and empty before
/// the first start. Throws StartError when the store cannot be read.
std::optional<lua::LoadResult> live_ruleset(ports::Store& store, const lua::LoadOptions& options);

/// Error invalid_state, with the first error of the bundle, when this program cannot use it.
domain::Status usable(const domain::RuleBundle& bundle, const lua::LoadOptions& options);

struct FirstRules {
  std::shared_ptr<const lua::Ruleset> ruleset;
  std::optional<lua::LoadResult> from_folder;  // none when they are the live rules
  std::string why_folder;
};

/// The rules of a service at start: the live rules, else the folder's. The folder's are used before the first start, or
/// when this program cannot use the live rules and the folder decides anyway (automatic promotion, no second operator,
/// no pinned rollback). Changes nothing. Throws StartError when there are none.
FirstRules choose_first_rules(ports::Store& store, const settings::Settings& settings, const lua::LoadOptions& options);

/// As above; the folder's rules become live.
std::shared_ptr<const lua::Ruleset> first_ruleset(ports::Store& store, usecases::ReleaseRules& release,
                                                  const settings::Settings& settings, const lua::LoadOptions& options);

class RuleKeeper {
 public:
  struct Parts {
    ports::Store& store;
    const ports::Clock& clock;
    usecases::ReleaseRules& release;
    lua::Engine& engine;
    ops::Logger& log;
    ops::Metrics& metrics;
    ops::Readiness& readiness;
    const std::string& reason_codes_problem;  // "" when the catalogue is from the file
  };

  RuleKeeper(Parts parts, const settings::Settings& settings, const lua::LoadOptions& options);

  /// Handles the current content of the folder. False when the store could not be used.
  bool follow_folder(const lua::LoadResult& folder);
  /// Compiles and keeps the bundle. Error invalid_state when this node cannot use it.
  domain::Status get_ready(const domain::RuleBundle& bundle);
  /// Prepares the live rules of the store and switches to them at their effective time. True when there was work.
  bool follow_store();
  /// Text about a failing rule, shown until other rules are live.
  void note_failing(const std::string& what);
  /// Reports the live rules and their problems to readiness.
  void report() const;
  /// Text for operators.
  std::string status() const;

 private:
  struct Folder {
    std::string sha256;  // "" if it cannot be read
    std::string version;
    std::string problem;  // why the bundle is not live; "" when it is
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

  const Parts parts_;
  const settings::Settings& settings_;
  const lua::LoadOptions& options_;
  const std::string node_;
  mutable std::mutex mutex_;
  Folder folder_;  // guarded by mutex_, as all members below
  bool has_looked_ = false;
  Offered offered_;
  std::int64_t generation_ = 0;     // of the rules in use, or of those that could not be prepared
  std::string unusable_;            // why the live rules are not used on this node
  domain::Timestamp try_again_at_;  // time of the next attempt
  bool is_pinned_ = false;
  std::string failing_;  // rules in shadow mode, or still in force, because they failed too often; "" for none
  domain::Timestamp switched_at_;
  std::map<std::string, std::shared_ptr<const lua::Ruleset>>
      prepared_;  // recently used rules, so that a rollback needs no compilation
};

}  // namespace tideover::node
