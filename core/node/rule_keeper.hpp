// What a node does about its rules: it brings what is saved in its folder to the store, and decides by what the store
// says is live, from the moment on that the store names for every node. What cannot be used changes nothing: the last
// good rules go on. Thread-safe.
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

/// The bundle as `release` takes it. A bundle with faults is filed with the first of them.
usecases::RuleFiling filing_of(const lua::LoadResult& loaded);

/// The rules that the store says are live, compiled by this program; without a ruleset where they cannot be used, and
/// nothing at all before the first start. Throws StartError when the store cannot be read.
std::optional<lua::LoadResult> live_ruleset(ports::Store& store, const lua::LoadOptions& options);

/// Error invalid_state, with the first fault, where this program cannot decide by the bundle.
domain::Status usable(const domain::RuleBundle& bundle, const lua::LoadOptions& options);

struct FirstRules {
  std::shared_ptr<const lua::Ruleset> ruleset;
  std::optional<lua::LoadResult> from_folder;  // none where they are the live ones
  std::string why_folder;
};

/// What a service starts with: the live rules, else the folder's: before the first start, or where this program cannot
/// use the live ones any more and the folder decides anyway (promoted by itself, without a second operator, no rollback
/// that holds). Changes nothing. Throws StartError when there are none.
FirstRules choose_first_rules(ports::Store& store, const settings::Settings& settings, const lua::LoadOptions& options);

/// The same; the folder's are live from then on.
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
    const std::string& reason_codes_problem;  // "" where the catalogue is the file's
  };

  RuleKeeper(Places places, const settings::Settings& settings, const lua::LoadOptions& options);

  /// What the folder holds now; false when the store could not be asked.
  bool follow_folder(const lua::LoadResult& folder);
  /// Whether it can decide by the bundle (else Error invalid_state); from then on it is ready to.
  domain::Status get_ready(const domain::RuleBundle& bundle);
  /// Gets ready for what is live by now, and switches when its time has come. True: there was something to do.
  bool follow_store();
  /// What became of a rule that fails: shown until other rules are live.
  void note_failing(const std::string& what);
  /// Tells the readiness what decides, and what does not.
  void report() const;
  /// For operators.
  std::string status() const;

 private:
  struct Folder {
    std::string sha256;  // "" when it cannot be read
    std::string version;
    std::string problem;  // why it does not decide; "" when it is live
    std::size_t problems = 0;
  };

  /// What lay in the folder when it was looked at last, and was sound.
  struct Offered {
    std::string sha256;
    std::string files;  // digest without official tables
  };

  void tell_readiness() const;  // under mutex_
  domain::Status offer(const lua::LoadResult& folder, bool is_first_look);
  std::shared_ptr<const lua::Ruleset> prepare(const std::string& sha256);
  void keep(std::shared_ptr<const lua::Ruleset> ruleset);

  const Places places_;
  const settings::Settings& settings_;
  const lua::LoadOptions& options_;
  const std::string node_;
  mutable std::mutex mutex_;
  Folder folder_;  // guarded by mutex_, like all that follows
  bool has_looked_ = false;
  Offered offered_;
  std::int64_t generation_ = 0;     // of what the engine decides by, or of what could not be prepared
  std::string unusable_;            // why the live rules are not used here
  domain::Timestamp try_again_at_;  // then
  bool is_pinned_ = false;
  std::string failing_;  // what rules are in shadow mode, or stay in force, although they failed too often; "" for none
  domain::Timestamp switched_at_;
  std::map<std::string, std::shared_ptr<const lua::Ruleset>>
      prepared_;  // what decided lately, so that a rollback compiles nothing
};

}  // namespace tideover::main
