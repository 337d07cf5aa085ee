#include "core/plugin_host/payer_directory_adapter.hpp"

#include <algorithm>

#include "core/plugin_host/lent.hpp"

namespace tideover::plugin_host {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::Payer;
using domain::PayerMatch;

constexpr std::string_view kInternal = "internal";
constexpr std::string_view kAny = "any";
constexpr int kMostDays = 3650;

/// Collects matches while one call runs.
struct Matches {
  PluginCall& call;
  std::size_t limit;
  std::vector<PayerMatch> found;
};

bool is_share(std::int32_t bps) { return bps >= 0 && bps <= domain::kOneInBps; }
bool is_days(std::int32_t days) { return days >= 1 && days <= kMostDays; }

/// Moves a taken value into its place; false = it was nonsense.
template <class Taken, class Place>
bool put(std::optional<Taken> taken, Place& place) {
  if (!taken) return false;
  place = std::move(*taken);
  return true;
}

std::optional<Payer> take_payer(const tideover_payer& lent) {
  Payer payer;
  const bool is_readable =
      put(take_text(lent.payer_id), payer.payer_id) && put(take_text(lent.name), payer.name) &&
      put(take_text(lent.short_name), payer.short_name) && put(take_list(lent.aliases), payer.aliases) &&
      put(take_pairs(lent.identifiers), payer.identifiers) && put(take_list(lent.ein), payer.ein) &&
      put(take_list(lent.coverage_types), payer.coverage_types) && put(take_list(lent.programs), payer.programs) &&
      put(take_list(lent.states), payer.states) && put(take_pairs(lent.transactions), payer.transactions) &&
      put(take_text(lent.status), payer.status) && put(take_text(lent.updated_at), payer.updated_at);
  const bool is_sensible = !payer.payer_id.empty() && !payer.name.empty() && is_share(lent.denial_bps) &&
                           is_share(lent.allowed_bps) && is_share(lent.patient_share_bps) &&
                           is_days(lent.median_days_to_pay) && is_days(lent.p80_days_to_pay) &&
                           lent.p80_days_to_pay >= lent.median_days_to_pay && is_days(lent.timely_filing_days) &&
                           (payer.status == "active" || payer.status == "inactive");
  if (!is_readable || !is_sensible) return std::nullopt;
  payer.timely_filing_days = lent.timely_filing_days;
  payer.supports_advance = lent.supports_advance != 0;
  payer.rates = {lent.denial_bps, lent.allowed_bps, lent.patient_share_bps, lent.median_days_to_pay, lent.p80_days_to_pay};
  return payer;
}

void take_match(void* ctx, const tideover_payer_match* lent) noexcept {
  auto& matches = *static_cast<Matches*>(ctx);
  guard_sink(matches.call, [&] {
    if (!lent || lent->size < sizeof(tideover_payer_match) || !lent->payer ||
        lent->payer->size < sizeof(tideover_payer))
      return matches.call.nonsense("gave a match that is too small");
    if (matches.found.size() >= matches.limit) return matches.call.nonsense("gave more matches than were asked for");
    auto payer = take_payer(*lent->payer);
    auto fields = take_list(lent->fields);
    if (!payer || !fields || lent->score_bps < 1 || lent->score_bps > domain::kOneInBps)
      return matches.call.nonsense("gave a payer with values that cannot be (text, rates, days, status or score)");
    matches.found.push_back({std::move(*payer), lent->score_bps, std::move(*fields)});
  });
}

struct Systems {
  PluginCall& call;
  std::vector<std::string> found;
};

void take_system(void* ctx, tideover_str lent) noexcept {
  auto& systems = *static_cast<Systems*>(ctx);
  guard_sink(systems.call, [&] {
    auto system = take_text(lent, 40);
    if (!system || system->empty() || systems.found.size() >= 100)
      return systems.call.nonsense("gave a system name that cannot be");
    systems.found.push_back(std::move(*system));
  });
}

}  // namespace

domain::Status PayerDirectoryAdapter::add(std::shared_ptr<const Plugin> plugin) {
  PluginCall call(*plugin, "systems", budget_);
  Systems systems{call, {}};
  const tideover_str_sink sink{sizeof sink, 0, &systems, &take_system};
  const auto status = call.run([&](const tideover_call* lent) {
    return plugin->functions<tideover_payer_directory>().systems(plugin->instance, lent, &sink);
  });
  if (status == TIDEOVER_FAILED) return Error::of(ErrorCode::validation_error, call.reason());
  directories_.push_back({std::move(plugin), std::move(systems.found)});
  return {};
}

domain::Result<std::optional<Payer>> PayerDirectoryAdapter::get(std::string_view payer_id) {
  for (const auto& directory : directories_) {
    const Plugin& plugin = *directory.plugin;
    PluginCall call(plugin, "get", budget_);
    Matches matches{call, 1, {}};
    const tideover_payer_sink sink{sizeof sink, 0, &matches, &take_match};
    const auto status = call.run([&](const tideover_call* lent_call) {
      const auto answer =
          plugin.functions<tideover_payer_directory>().get(plugin.instance, lent_call, lend(payer_id), &sink);
      if ((answer == TIDEOVER_OK) != (matches.found.size() == 1) && answer != TIDEOVER_FAILED)
        call.nonsense("the status and the payer given do not agree");
      return answer;
    });
    if (status == TIDEOVER_FAILED)
      return call.error({{TIDEOVER_FAULT_INVALID_INPUT, ErrorCode::invalid_parameter}}, ErrorCode::service_unavailable);
    if (status == TIDEOVER_OK) return std::optional<Payer>(std::move(matches.found.front().payer));
  }
  return std::optional<Payer>();
}

domain::Result<std::vector<PayerMatch>> PayerDirectoryAdapter::search(std::string_view text, std::string_view system,
                                                                      std::string_view after, std::size_t limit) {
  const auto known = systems();
  if (std::find(known.begin(), known.end(), system) == known.end())
    return Error::of(ErrorCode::invalid_parameter, "no payer directory knows the system '" + std::string(system) + "'")
        .with_list("allowed", known);
  std::vector<PayerMatch> all;
  for (const auto& directory : directories_) {
    const bool knows = system == kInternal || system == kAny ||
                       std::find(directory.systems.begin(), directory.systems.end(), system) != directory.systems.end();
    if (!knows) continue;
    const Plugin& plugin = *directory.plugin;
    PluginCall call(plugin, "search", budget_);
    Matches matches{call, limit, {}};
    const tideover_payer_sink sink{sizeof sink, 0, &matches, &take_match};
    const tideover_payer_query query{sizeof query, 0,           lend(text), lend(system),
                                     lend(after),  static_cast<std::int64_t>(limit)};
    const auto status = call.run([&](const tideover_call* lent_call) {
      return plugin.functions<tideover_payer_directory>().search(plugin.instance, lent_call, &query, &sink);
    });
    if (status == TIDEOVER_FAILED)
      return call.error({{TIDEOVER_FAULT_INVALID_INPUT, ErrorCode::invalid_parameter}}, ErrorCode::service_unavailable);
    for (auto& match : matches.found) {
      const auto same = [&](const PayerMatch& other) { return other.payer.payer_id == match.payer.payer_id; };
      // The first directory that knows a payer speaks for it, as in get().
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(std::move(match));
    }
  }
  std::stable_sort(all.begin(), all.end(), [&](const PayerMatch& a, const PayerMatch& b) {
    if (!text.empty() && a.score_bps != b.score_bps) return a.score_bps > b.score_bps;
    return a.payer.payer_id < b.payer.payer_id;
  });
  if (all.size() > limit) all.resize(limit);
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
