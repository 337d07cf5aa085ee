#include "core/node/rule_keeper.hpp"

#include <fmt/core.h>

#include <utility>

#include "core/node/start.hpp"
#include "core/usecases/rules/shadow_failing_rule.hpp"

namespace tideover::node {
namespace {

/// Time for nodes to read, compile and test a bundle before all switch. Each node reads the store several times a
/// second.
constexpr std::chrono::seconds kLeadTime{2};
/// A ruleset needs little memory, and quick rollbacks rarely go back further.
constexpr std::size_t kMostPrepared = 4;
/// A table that the live rules need may arrive later.
constexpr std::int64_t kTryAgainMs = 5000;

std::string short_of(const std::string& sha256) {
  return sha256.substr(0, 12);
}

/// Why a rule of these live rules is in shadow mode since they were promoted, if a node did that; else "".
std::string failure_behind(ports::Store& store, const std::string& sha256) {
  constexpr std::size_t kLooksBack = 20;
  const auto acts = fetch(store, [](const ports::Records& records) { return records.rules().history(kLooksBack); });
  if (!acts) return "";
  for (const auto& act : *acts) {
    if (act.act != domain::RuleAct::promoted || act.sha256 != sha256) continue;
    return act.reason.starts_with(usecases::kRuleFailed)
               ? act.reason.substr(usecases::kRuleFailed.size()) + "; it is in shadow mode"
               : "";
  }
  return "";
}

/// The live row, with its bundle if `with_files`.
struct Live {
  domain::LiveRules live;
  std::optional<domain::RuleBundle> bundle;
};

domain::Result<std::optional<Live>> read_live(ports::Store& store, bool with_files) {
  return fetch(store, [&](const ports::Records& records) -> std::optional<Live> {
    auto live = records.rules().live();
    if (!live) return std::nullopt;
    auto bundle = with_files ? records.rules().find(live->sha256) : std::nullopt;
    return Live{std::move(*live), std::move(bundle)};
  });
}

lua::LoadResult compile(const std::optional<domain::RuleBundle>& bundle, const std::string& sha256,
                        const lua::LoadOptions& options) {
  auto files = bundle ? lua::unpack(bundle->files, sha256) : std::nullopt;
  if (files) return lua::load_ruleset(std::move(*files), options);
  lua::LoadResult result;
  result.sha256 = sha256;
  result.errors.push_back({sha256, 0, 0, "the store does not have all files of this bundle", {}});
  return result;
}

domain::Status usable(const lua::LoadResult& compiled) {
  if (compiled.ruleset) return {};
  return domain::Error::of(domain::ErrorCode::invalid_state,
                           "The rule bundle " + short_of(compiled.sha256) +
                               " is not valid on this node. Nothing was changed: " + compiled.errors.front().text());
}

}  // namespace

usecases::ReleaseRulesOptions release_options(const settings::Settings& settings) {
  usecases::ReleaseRulesOptions options;
  options.needs_second_operator = settings.rules.approval == settings::RuleApproval::second_person;
  if (settings.store.driver == settings::StoreDriver::mysql) options.switch_delay = kLeadTime;
  return options;
}

usecases::RuleFiling filing_of(const lua::LoadResult& loaded) {
  usecases::RuleFiling filing;
  filing.sha256 = loaded.sha256;
  if (!loaded.errors.empty()) filing.problem = loaded.errors.front().text();
  if (!loaded.ruleset) return filing;
  filing.version = loaded.ruleset->stamp.version;
  filing.files = lua::pack(*loaded.ruleset->bundle);
  return filing;
}

domain::Status usable(const domain::RuleBundle& bundle, const lua::LoadOptions& options) {
  return usable(compile(bundle, bundle.sha256, options));
}

std::optional<lua::LoadResult> live_ruleset(ports::Store& store, const lua::LoadOptions& options) {
  const auto live = read_live(store, true);
  if (!live) refuse_start(live.error());
  if (!*live) return std::nullopt;
  return compile((*live)->bundle, (*live)->live.sha256, options);
}

FirstRules choose_first_rules(ports::Store& store, const settings::Settings& settings,
                              const lua::LoadOptions& options) {
  const auto live = read_live(store, true);
  if (!live) refuse_start(live.error());
  std::optional<lua::RuleFileError> unusable;
  if (*live) {
    auto compiled = compile((*live)->bundle, (*live)->live.sha256, options);
    if (compiled.ruleset) return {compiled.ruleset, {}, ""};
    unusable = compiled.errors.front();
    // The folder does not decide when operators release rules, nor after a rollback.
    const bool folder_decides = settings.rules.promotion == settings::RulePromotion::automatic &&
                                settings.rules.approval == settings::RuleApproval::none;
    if (!folder_decides || (*live)->live.is_pinned)
      throw StartError(
          "The live rules are not valid on this machine, and the service does not replace them "
          "itself:\n  " +
          unusable->text() + "\nCorrect the error, or run tideover rules promote or rollback.");
  }
  auto loaded = lua::load_ruleset(settings.rules.folder, options);
  if (!loaded.ruleset) {
    std::string text = "The rules are not valid. The service does not start without rules:";
    if (unusable) text += "\n  The live rules: " + unusable->text();
    for (const auto& error : loaded.errors) text += "\n  " + error.text();
    throw StartError(text);
  }
  return {loaded.ruleset, std::move(loaded),
          unusable ? "The live rules are not valid for this program: " + unusable->message
                   : "The first rules of this database"};
}

std::shared_ptr<const lua::Ruleset> first_ruleset(ports::Store& store, usecases::ReleaseRules& release,
                                                  const settings::Settings& settings, const lua::LoadOptions& options) {
  const auto first = choose_first_rules(store, settings, options);
  if (!first.from_folder) return first.ruleset;
  const std::string actor = "node " + node_name(settings);
  if (const auto filed = release.file(filing_of(*first.from_folder), actor); !filed) refuse_start(filed.error());
  // Another node may have been first; its rules are then live, and this node follows them.
  if (const auto promoted = release.force(first.from_folder->sha256, actor, first.why_folder);
      !promoted && promoted.error().code != domain::ErrorCode::invalid_state &&
      promoted.error().code != domain::ErrorCode::conflict)
    refuse_start(promoted.error());
  return first.ruleset;
}

RuleKeeper::RuleKeeper(Parts parts, const settings::Settings& settings, const lua::LoadOptions& options)
    : parts_(parts),
      settings_(settings),
      options_(options),
      node_("node " + node_name(settings)),
      switched_at_(parts.clock.now()) {
  const auto first = parts_.engine.current();
  prepared_[first->stamp.sha256] = first;
}

bool RuleKeeper::follow_folder(const lua::LoadResult& folder) {
  const std::lock_guard lock(mutex_);
  const bool is_first_look = !has_looked_;
  folder_ = {folder.sha256, folder.ruleset ? folder.ruleset->stamp.version : "", "", folder.errors.size()};
  parts_.metrics.rules_stale(!folder.errors.empty());
  if (!folder.errors.empty()) {
    folder_.problem = folder.errors.front().text();
    parts_.metrics.rules_reloaded(false);
    for (const auto& error : folder.errors) parts_.log.error("rules_refused", {{"problem", error.text()}});
  }
  if (!folder.sha256.empty()) {
    const auto offered = offer(folder, is_first_look);
    if (!offered) {
      folder_.problem = offered.error().message;
      parts_.log.error("rules_not_filed", {{"problem", offered.error().message}});
      tell_readiness();
      return false;
    }
  }
  has_looked_ = true;
  tell_readiness();
  return true;
}

/// Promotes a valid bundle that is new, if promotion is automatic. At start only an unknown bundle is new: a known one
/// was replaced or rolled back while this node was stopped.
domain::Status RuleKeeper::offer(const lua::LoadResult& folder, bool is_first_look) {
  std::optional<domain::RuleBundle> known;
  std::string live_sha256;
  const auto read = parts_.store.read([&](const ports::Records& records) {
    known = records.rules().find(folder.sha256);
    const auto live = records.rules().live();
    live_sha256 = live ? live->sha256 : "";
  });
  if (!read) return read;
  const auto before = offered_;
  if (folder.ruleset) offered_ = {folder.sha256, lua::digest_of_files(*folder.ruleset->bundle)};
  if (live_sha256 == folder.sha256) return {};
  const bool is_automatic = settings_.rules.promotion == settings::RulePromotion::automatic;
  if (!is_automatic) {
    if (folder.ruleset) folder_.problem = "it waits for tideover rules promote";
    return {};
  }
  if (const auto filed = parts_.release.file(filing_of(folder), node_); !filed) {
    if (filed.error().code != domain::ErrorCode::invalid_state) return filed.error();
    folder_.problem = filed.error().message;  // an operator rejected them
    return {};
  }
  if (!folder.ruleset) return {};
  if (is_first_look && known) {
    folder_.problem = "other rules were promoted since it was live; run tideover rules promote to make it live again";
    return {};
  }
  // A new official table is not a change of the rules: it must not replace rules that were promoted instead of the
  // folder's.
  if (offered_.files == before.files && live_sha256 != before.sha256) {
    folder_.problem =
        "a table was added, but other rules were promoted meanwhile; run tideover rules promote to make the folder's "
        "rules live with it";
    parts_.log.warning("rules_held_off", {{"problem", folder_.problem}});
    return {};
  }
  const auto promoted = parts_.release.promote(folder.sha256, node_, "Saved in its folder", true);
  if (promoted || promoted.error().code != domain::ErrorCode::invalid_state)
    return promoted ? domain::Status{} : promoted.error();
  folder_.problem = promoted.error().message;
  parts_.log.warning("rules_held_off", {{"problem", promoted.error().message}});
  return {};
}

std::shared_ptr<const lua::Ruleset> RuleKeeper::prepare(const std::string& sha256) {
  if (const auto found = prepared_.find(sha256); found != prepared_.end()) return found->second;
  const auto live = read_live(parts_.store, true);
  if (!live || !*live || (*live)->live.sha256 != sha256) return nullptr;  // re-evaluated
  auto loaded = compile((*live)->bundle, sha256, options_);
  if (!loaded.ruleset) {
    unusable_ = loaded.errors.front().text();
    return nullptr;
  }
  keep(loaded.ruleset);
  return loaded.ruleset;
}

void RuleKeeper::keep(std::shared_ptr<const lua::Ruleset> ruleset) {
  const auto current = parts_.engine.stamp().sha256;
  for (auto each = prepared_.begin(); prepared_.size() >= kMostPrepared && each != prepared_.end();)
    each = each->first == current ? std::next(each) : prepared_.erase(each);
  const auto& sha256 = ruleset->stamp.sha256;
  prepared_[sha256] = std::move(ruleset);
}

domain::Status RuleKeeper::get_ready(const domain::RuleBundle& bundle) {
  {
    const std::lock_guard lock(mutex_);
    if (prepared_.contains(bundle.sha256)) return {};
  }
  auto compiled = compile(bundle, bundle.sha256, options_);
  if (!compiled.ruleset) return usable(compiled);
  const std::lock_guard lock(mutex_);
  keep(std::move(compiled.ruleset));
  return {};
}

bool RuleKeeper::follow_store() {
  const std::lock_guard lock(mutex_);
  const auto read = read_live(parts_.store, false);
  if (!read || !*read) return false;
  const auto& live = (*read)->live;
  is_pinned_ = live.is_pinned;
  if (live.generation == generation_ && (unusable_.empty() || parts_.clock.now() < try_again_at_)) return false;
  const auto problem = live.generation == generation_ ? std::exchange(unusable_, "") : std::string();
  unusable_.clear();
  const auto ruleset = live.sha256 == parts_.engine.stamp().sha256 ? parts_.engine.current() : prepare(live.sha256);
  if ((!ruleset && unusable_.empty()) || (ruleset && parts_.clock.now() < live.effective_at)) {  // not yet
    unusable_ = problem;
    return false;
  }
  if (generation_ != live.generation) failing_ = failure_behind(parts_.store, live.sha256);
  generation_ = live.generation;
  if (folder_.problems == 0 && folder_.sha256 == live.sha256) folder_.problem.clear();
  if (!ruleset) {
    try_again_at_ = parts_.clock.now().plus_ms(kTryAgainMs);
    if (unusable_ == problem) return false;
    parts_.metrics.rules_reloaded(false);
    parts_.log.error("rules_unusable", {{"sha256", live.sha256}, {"problem", unusable_}});
  } else if (ruleset != parts_.engine.current()) {
    parts_.engine.publish(ruleset);
    switched_at_ = parts_.clock.now();
    parts_.metrics.rules_reloaded(true);
    parts_.log.info("rules_published", {{"version", ruleset->stamp.version}, {"sha256", ruleset->stamp.sha256}});
  }
  tell_readiness();
  return true;
}

void RuleKeeper::note_failing(const std::string& what) {
  const std::lock_guard lock(mutex_);
  failing_ = what;
  tell_readiness();
}

void RuleKeeper::report() const {
  const std::lock_guard lock(mutex_);
  tell_readiness();
}

void RuleKeeper::tell_readiness() const {
  std::string detail = "rules " + parts_.engine.stamp().version;
  if (!unusable_.empty())
    detail = "serving the last valid " + detail + "; the live rules are not valid on this node: " + unusable_;
  if (is_pinned_) detail += ", pinned by a rollback";
  if (!failing_.empty()) detail += "; " + failing_;
  if (folder_.problems > 0)
    detail = "serving the last valid " + detail + "; the folder has an error: " + folder_.problem;
  else if (!folder_.problem.empty())
    detail += "; the folder has other rules: " + folder_.problem;
  if (!parts_.reason_codes_problem.empty())
    detail += "; reason codes of an earlier start: " + parts_.reason_codes_problem;
  parts_.readiness.report(ops::Check::rules, true, detail);
}

std::string RuleKeeper::status() const {
  const std::lock_guard lock(mutex_);
  const auto stamp = parts_.engine.stamp();
  std::string text = fmt::format("this node    uses {} ({}) since {}\n", short_of(stamp.sha256), stamp.version,
                                 format_timestamp(switched_at_));
  if (!unusable_.empty()) text += "             live rules are not valid: " + unusable_ + '\n';
  if (!failing_.empty()) text += "             " + failing_ + '\n';
  text += fmt::format("its folder   {}: ", settings_.rules.folder.string());
  if (folder_.sha256.empty())
    text += folder_.problem + '\n';
  else if (folder_.problem.empty())
    text += short_of(folder_.sha256) + '\n';
  else
    text += short_of(folder_.sha256) + ", not live: " + folder_.problem + '\n';
  return text;
}

}  // namespace tideover::node
