#include "core/plugin_host/adapters/payer_directory_adapter.hpp"

#include <algorithm>

#include "core/plugin_host/calls/lent.hpp"

namespace tideover::plugin_host {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::Payer;
using domain::PayerMatch;

constexpr std::string_view kInternal = "internal";
constexpr std::string_view kAny = "any";
constexpr int kMostDays = 3650;
constexpr std::size_t kMostRecent = 4096;

constexpr CallTerms kSystems{"systems", true, false, ErrorCode::validation_error, {}};
constexpr CallTerms kGet{"get",
                         true,
                         false,
                         ErrorCode::service_unavailable,
                         {{{TIDEOVER_FAULT_INVALID_INPUT, ErrorCode::invalid_parameter}}}};
constexpr CallTerms kSearch{"search",
                            true,
                            false,
                            ErrorCode::service_unavailable,
                            {{{TIDEOVER_FAULT_INVALID_INPUT, ErrorCode::invalid_parameter}}}};

/// Collects the matches of one call.
struct Matches {
  std::size_t limit;
  std::vector<PayerMatch> found;
};

bool is_share(std::int32_t bps) {
  return bps >= 0 && bps <= domain::kOneInBps;
}
bool is_days(std::int32_t days) {
  return days >= 1 && days <= kMostDays;
}

/// Moves a checked value to its target; false when the value was invalid.
template <class Taken, class Place>
bool put(std::optional<Taken> taken, Place& place) {
  if (!taken) return false;
  place = std::move(*taken);
  return true;
}

std::optional<Payer> take_payer(const tideover_payer& lent) {
  Payer payer;
  const bool is_readable =
      put(take_label(lent.payer_id), payer.payer_id) && put(take_label(lent.name), payer.name) &&
      put(take_label(lent.short_name), payer.short_name) && put(take_labels(lent.aliases), payer.aliases) &&
      put(take_label_pairs(lent.identifiers), payer.identifiers) && put(take_labels(lent.ein), payer.ein) &&
      put(take_labels(lent.coverage_types), payer.coverage_types) && put(take_labels(lent.programs), payer.programs) &&
      put(take_labels(lent.states), payer.states) && put(take_label_pairs(lent.transactions), payer.transactions) &&
      put(take_label(lent.status), payer.status) && put(take_label(lent.updated_at), payer.updated_at);
  const bool is_sensible = !payer.payer_id.empty() && !payer.name.empty() && is_share(lent.denial_bps) &&
                           is_share(lent.allowed_bps) && is_share(lent.patient_share_bps) &&
                           is_days(lent.median_days_to_pay) && is_days(lent.p80_days_to_pay) &&
                           lent.p80_days_to_pay >= lent.median_days_to_pay && is_days(lent.timely_filing_days) &&
                           (payer.status == "active" || payer.status == "inactive");
  if (!is_readable || !is_sensible) return std::nullopt;
  payer.timely_filing_days = lent.timely_filing_days;
  payer.supports_advance = lent.supports_advance != 0;
  payer.rates = {lent.denial_bps, lent.allowed_bps, lent.patient_share_bps, lent.median_days_to_pay,
                 lent.p80_days_to_pay};
  return payer;
}

void take_match(void* ctx, const tideover_payer_match* lent) noexcept {
  in_call<Matches>(ctx, [&](Matches& matches, PluginCall& call) {
    if (!lent || lent->size < sizeof(tideover_payer_match) || !lent->payer ||
        lent->payer->size < sizeof(tideover_payer))
      return call.nonsense("gave a match that is too small");
    if (matches.found.size() >= matches.limit) return call.nonsense("gave more matches than requested");
    auto payer = take_payer(*lent->payer);
    auto fields = take_labels(lent->fields);
    if (!payer || !fields || lent->score_bps < 1 || lent->score_bps > domain::kOneInBps)
      return call.nonsense("gave a payer with invalid values (text, rates, days, status or score)");
    matches.found.push_back({std::move(*payer), lent->score_bps, std::move(*fields)});
  });
}

using Systems = std::vector<std::string>;

/// In the form of a query: no blanks, no control characters.
bool is_system(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

void take_system(void* ctx, tideover_str lent) noexcept {
  in_call<Systems>(ctx, [&](Systems& systems, PluginCall& call) {
    auto system = take_text(lent, 40);
    if (!system || !is_system(*system) || systems.size() >= 100)
      return call.nonsense("gave an invalid system name: 1 to 40 visible ASCII characters, at most 100 names");
    if (*system == kInternal || *system == kAny)
      return call.nonsense("gave the system name '" + *system + "', which is reserved for the host");
    systems.push_back(std::move(*system));
  });
}

const tideover_payer_directory& functions_of(const Plugin& plugin) {
  return plugin.functions<tideover_payer_directory>();
}

}  // namespace

domain::Status PayerDirectoryAdapter::add(std::shared_ptr<const Plugin> plugin, std::chrono::milliseconds budget) {
  const auto call = std::make_shared<PluginCall>(plugin, kSystems, budget);
  const auto systems = std::make_shared<Systems>();
  const auto* sink =
      call->lend(tideover_str_sink{sizeof(tideover_str_sink), 0, call->context(systems.get()), &take_system});
  const auto status = call->run([plugin, systems, sink](const tideover_call* lent) {
    return functions_of(*plugin).systems(plugin->instance, lent, sink);
  });
  if (status == TIDEOVER_FAILED) return Error::of(ErrorCode::validation_error, call->reason());
  directories_.push_back({std::move(plugin), std::move(*systems)});
  return {};
}

domain::Result<std::optional<Payer>> PayerDirectoryAdapter::get_from(const std::shared_ptr<const Plugin>& plugin,
                                                                     std::string_view payer_id) const {
  const auto call = std::make_shared<PluginCall>(plugin, kGet, budget_);
  const auto matches = std::make_shared<Matches>(Matches{1, {}});
  const auto* sink =
      call->lend(tideover_payer_sink{sizeof(tideover_payer_sink), 0, call->context(matches.get()), &take_match});
  const auto status = call->run(
      [plugin, matches, sink, id = std::string(payer_id)](const tideover_call* lent_call) {
        return functions_of(*plugin).get(plugin->instance, lent_call, lend(id), sink);
      },
      [&](tideover_status answer) {
        if (answer != TIDEOVER_FAILED && (answer == TIDEOVER_OK) != (matches->found.size() == 1))
          call->nonsense("the status contradicts the payer");
      });
  if (status == TIDEOVER_FAILED) return call->error();
  if (status == TIDEOVER_OK) return std::optional<Payer>(std::move(matches->found.front().payer));
  return std::optional<Payer>();
}

RecentPayers::Answer RecentPayers::find(const std::string& payer_id) const {
  const std::shared_lock<std::shared_mutex> guard(mutex_);
  const auto at = known_.find(payer_id);
  return at != known_.end() && Clock::now() < at->second.until ? at->second.answer : nullptr;
}

void RecentPayers::put(const std::string& payer_id, Answer answer) {
  if (fresh_for_.count() == 0) return;
  const std::unique_lock<std::shared_mutex> guard(mutex_);
  if (known_.size() >= kMostRecent && known_.find(payer_id) == known_.end()) known_.clear();
  known_.insert_or_assign(payer_id, Known{std::move(answer), Clock::now() + fresh_for_});
}

domain::Result<std::optional<Payer>> PayerDirectoryAdapter::get(std::string_view payer_id) {
  const std::string id(payer_id);
  if (const auto recent = recent_.find(id)) return *recent;
  auto answer = ask(id);
  if (answer) recent_.put(id, std::make_shared<const std::optional<Payer>>(*answer));
  return answer;
}

domain::Result<std::optional<Payer>> PayerDirectoryAdapter::ask(const std::string& payer_id) const {
  // A failing directory is not skipped: it may be the one that has the id.
  for (const auto& directory : directories_) {
    auto payer = get_from(directory.plugin, payer_id);
    if (!payer || *payer) return payer;
  }
  return std::optional<Payer>();
}

domain::Result<std::vector<PayerMatch>> PayerDirectoryAdapter::search_in(const std::shared_ptr<const Plugin>& plugin,
                                                                         std::string_view text, std::string_view system,
                                                                         std::string_view after,
                                                                         std::size_t limit) const {
  struct Query {
    const std::string text, system, after;
    Matches matches;
  };
  const auto call = std::make_shared<PluginCall>(plugin, kSearch, budget_);
  const auto query =
      std::make_shared<Query>(Query{std::string(text), std::string(system), std::string(after), {limit, {}}});
  const auto* sink =
      call->lend(tideover_payer_sink{sizeof(tideover_payer_sink), 0, call->context(&query->matches), &take_match});
  const auto* lent_query =
      call->lend(tideover_payer_query{sizeof(tideover_payer_query), 0, lend(query->text), lend(query->system),
                                      lend(query->after), static_cast<std::int64_t>(limit)});
  const auto status = call->run([plugin, query, sink, lent_query](const tideover_call* lent_call) {
    return functions_of(*plugin).search(plugin->instance, lent_call, lent_query, sink);
  });
  if (status == TIDEOVER_FAILED) return call->error();
  return std::move(query->matches.found);
}

bool PayerDirectoryAdapter::is_free_for(std::size_t index, std::string_view payer_id, bool& failed) const {
  for (std::size_t i = 0; i < index && !failed; ++i) {
    const auto payer = get_from(directories_[i].plugin, payer_id);
    if (payer && *payer) return false;
    failed = !payer;
  }
  return !failed;
}

domain::Result<domain::PayerMatches> PayerDirectoryAdapter::search(std::string_view text, std::string_view system,
                                                                   std::string_view after, std::size_t limit) {
  const auto known = systems();
  if (std::find(known.begin(), known.end(), system) == known.end())
    return Error::of(ErrorCode::invalid_parameter, "no payer directory has the system '" + std::string(system) + "'")
        .with_list("allowed", known);
  domain::PayerMatches all;
  std::optional<Error> failure;
  std::size_t answered = 0;
  bool failed_to_own = false;  // an earlier directory did not answer get(); it is not called again for every match
  for (std::size_t index = 0; index < directories_.size(); ++index) {
    const auto& directory = directories_[index];
    const bool knows = system == kInternal || system == kAny ||
                       std::find(directory.systems.begin(), directory.systems.end(), system) != directory.systems.end();
    if (!knows) continue;
    auto found = search_in(directory.plugin, text, system, after, limit);
    if (!found && found.error().code != ErrorCode::service_unavailable) return found.error();
    if (!found) {
      all.warnings.push_back("The payer directory '" + directory.plugin->id +
                             "' does not answer. Its payers are not in this result.");
      failure = found.error();
      continue;
    }
    ++answered;
    for (auto& match : *found) {
      const auto same = [&](const PayerMatch& other) { return other.payer.payer_id == match.payer.payer_id; };
      if (std::any_of(all.found.begin(), all.found.end(), same)) continue;
      // The first directory with an id decides, as in get(). In a list of all payers its payer was listed already.
      if (text.empty() || is_free_for(index, match.payer.payer_id, failed_to_own))
        all.found.push_back(std::move(match));
    }
    if (failed_to_own && all.warnings.empty())
      all.warnings.push_back("A payer directory does not answer. Payers that it may have are not in this result.");
  }
  if (failure && answered == 0) return *failure;
  // Equal scores keep the order of the directories, each of which knows which of its payers comes first.
  std::stable_sort(all.found.begin(), all.found.end(), [&](const PayerMatch& a, const PayerMatch& b) {
    return text.empty() ? a.payer.payer_id < b.payer.payer_id : a.score_bps > b.score_bps;
  });
  if (all.found.size() > limit) all.found.resize(limit);
  return all;
}

std::vector<std::string> PayerDirectoryAdapter::systems() const {
  std::vector<std::string> all{std::string(kInternal)};
  for (const auto& directory : directories_)
    for (const auto& system : directory.systems)
      if (std::find(all.begin(), all.end(), system) == all.end()) all.push_back(system);
  all.emplace_back(kAny);
  return all;
}

}  // namespace tideover::plugin_host
