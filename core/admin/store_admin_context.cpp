#include "core/admin/store_admin_context.hpp"

#include <fmt/core.h>

#include <limits>

#include "core/admin/expect.hpp"
#include "core/admin/tenant_named.hpp"
#include "core/domain/basics/date.hpp"
#include "core/domain/claims/reason_code.hpp"
#include "core/lua/engine/engine.hpp"
#include "core/lua/ruleset/loader.hpp"
#include "core/node/rule_keeper.hpp"
#include "core/node/start.hpp"
#include "core/plugin_host/plugin_host.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/rules/rule_policy.hpp"
#include "core/ports/store.hpp"
#include "core/settings/settings.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::admin {
namespace {

settings::Settings without_rails(settings::Settings settings) {
  std::erase_if(settings.plugins, [](const auto& plugin) { return plugin.kind == settings::PluginKind::funding_rail; });
  return settings;
}

/// No size limit for files of the operator.
constexpr plugin_host::FileLimits kNoLimits{std::numeric_limits<std::size_t>::max(),
                                            std::numeric_limits<std::size_t>::max()};

plugin_host::CallBudgets patient(const settings::Settings& settings) {
  auto budgets = node::start_budgets(settings);
  budgets.remittance_file = plugin_host::CallBudgets::kNoDeadline;  // its payments are posted during the call
  return budgets;
}

}  // namespace

StoreAdminContext::StoreAdminContext(AdminContext& given)
    : digests_(given.keys),
      plugins_(node::load_plugins(without_rails(given.settings), {given.clock, bank_time_, {}, {}},
                                  patient(given.settings), kNoLimits)) {}
StoreAdminContext::~StoreAdminContext() = default;

ports::PayerDirectory& StoreAdminContext::payers() {
  return plugins_->payers();
}
ports::ImportFormats& StoreAdminContext::imports() {
  return plugins_->imports();
}
ports::RemittanceFormats& StoreAdminContext::remittances() {
  return plugins_->remittances();
}

std::shared_ptr<const lua::Ruleset> ruleset_in_force(AdminContext& context, const lua::LoadOptions& options) {
  auto live = node::live_ruleset(context.store, options);
  const auto loaded = live ? std::move(*live) : lua::load_ruleset(context.settings.rules.folder, options);
  if (!loaded.ruleset) throw node::StartError("The rules are not valid. Run `tideover rules check` for the errors.");
  return loaded.ruleset;
}

std::shared_ptr<ports::RulePolicy> rules_in_force(AdminContext& context) {
  const auto reason_codes = node::load_reason_codes(context.settings);
  const auto options = node::rule_options(context.settings, reason_codes);
  return std::make_shared<lua::Engine>(ruleset_in_force(context, options), options.limits);
}

std::vector<std::pair<std::string, std::string>> mapping_of(std::string_view text) {
  const auto trimmed = [](std::string_view word) {
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    return std::string(word);
  };
  std::vector<std::pair<std::string, std::string>> mapping;
  while (!text.empty()) {
    const auto pair = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    const auto equals = pair.find('=');
    if (equals == std::string_view::npos)
      throw node::StartError("--map must be FIELD=HEADER, separated by commas. There is no = in '" + std::string(pair) +
                             "'.");
    mapping.emplace_back(trimmed(pair.substr(0, equals)), trimmed(pair.substr(equals + 1)));
  }
  return mapping;
}

usecases::RequestContext request_context_for(AdminContext& context, const std::string& tenant_name,
                                             const std::string& operation) {
  const auto tenant = tenant_named(context, tenant_name);
  usecases::RequestContext request;
  request.caller = {tenant.id, {}, context.settings.environment, tenant.profile, {}};
  request.operation = operation;
  request.shift_ms = context.clock.shift_of(tenant.id);
  request.now = context.clock.now().plus_ms(request.shift_ms);
  return request;
}

std::shared_ptr<const lua::Ruleset> sound(lua::LoadResult loaded, const std::string& what) {
  if (loaded.ruleset) return std::move(loaded.ruleset);
  std::string text = "The " + what + " rules are not valid:";
  for (const auto& error : loaded.errors) text += "\n  " + error.text();
  throw node::StartError(text);
}

std::optional<domain::Date> day_of(const AdminRequest& request, const char* option) {
  const auto text = request.option(option);
  if (text.empty()) return std::nullopt;
  const auto day = domain::parse_date(text);
  if (!day) throw node::StartError(fmt::format("--{} '{}' is not a date such as 2026-01-31.", option, text));
  return day;
}

std::string bundle_named(AdminContext& context, const std::string& prefix) {
  constexpr std::size_t kShortestPrefix = 6;
  if (prefix.size() < kShortestPrefix)
    throw node::StartError(fmt::format(
        "The digest is too short. Give at least {} characters, as shown by tideover rules history.", kShortestPrefix));
  const auto found = expect(
      fetch(context.store, [&](const ports::Records& records) { return records.rules().find_by_prefix(prefix, 2); }));
  if (found.empty()) throw node::StartError("No rule bundle starts with " + prefix + ". See tideover rules history.");
  if (found.size() > 1)
    throw node::StartError("Several rule bundles start with " + prefix + ". Give more characters of the digest.");
  return found.front().sha256;
}

}  // namespace tideover::admin
