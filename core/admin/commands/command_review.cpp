// tideover review replay
#include <fmt/core.h>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/expect.hpp"
#include "core/admin/store_admin_context.hpp"
#include "core/admin/tenant_named.hpp"
#include "core/domain/claims/reason_code.hpp"
#include "core/http/wire/reviews/replay_json.hpp"
#include "core/lua/engine/engine.hpp"
#include "core/lua/ruleset/loader.hpp"
#include "core/node/start.hpp"
#include "core/node/stored_rules.hpp"
#include "core/settings/settings.hpp"
#include "core/usecases/reviews/replay_review.hpp"

namespace tideover::admin {
namespace {

/// The exit code of a replay with a different result.
constexpr int kDiffers = 3;

std::shared_ptr<ports::RulePolicy> rules_in(const std::string& folder, const lua::LoadOptions& options) {
  auto loaded = lua::load_ruleset(std::filesystem::path(folder), options);
  if (loaded.ruleset) return std::make_shared<lua::Engine>(std::move(loaded.ruleset), options.limits);
  std::string text = "The rules in " + folder + " cannot be used:";
  for (const auto& error : loaded.errors) text += "\n  " + error.text();
  throw node::StartError(text);
}

AdminReply replay(AdminContext& context, const AdminRequest& request) {
  StoreAdminContext parts(context);
  const auto reason_codes = node::load_reason_codes(context.settings);
  const auto options = node::rule_options(context.settings, reason_codes);
  const auto tenant = tenant_named(context, request.option("tenant"));

  usecases::ReplayReview replay_review(context.store, parts.digests(), reason_codes, context.settings.environment);
  const auto recorded = expect(replay_review.find(tenant.id, request.option("review_id")));
  node::StoredRules stored(context.store, options);
  const auto bundle = request.option("bundle"), folder = request.option("folder");
  if (!bundle.empty() && !folder.empty())
    throw node::StartError("--bundle and --folder exclude each other. Give one of them.");
  const auto rules =
      folder.empty() ? expect(stored.open(bundle.empty() ? recorded.rules.sha256 : bundle)) : rules_in(folder, options);
  const auto both = expect(replay_review(tenant.id, recorded, *rules));

  std::string out = fmt::format("review    {} of {}\nlearned   {}\nrules     {} ({:.12})\n", recorded.id.text(),
                                format_timestamp(recorded.created_at),
                                recorded.basis.snapshot.empty() ? "nothing yet" : recorded.basis.snapshot,
                                recorded.rules.version, recorded.rules.sha256);
  if (both.replayed.rules.sha256 != recorded.rules.sha256)
    out += fmt::format("replayed  {} ({:.12})\n", both.replayed.rules.version, both.replayed.rules.sha256);
  if (wire::are_equal(both)) return {0, out + "equal, byte for byte\n", ""};
  if (wire::are_equal_but_for_rules(both)) return {0, out + "equal except for the name of the rules\n", ""};
  out += fmt::format("\n{:<34} {}\n", "differs", "recorded -> replayed");
  for (const auto& difference : both.differences)
    out += fmt::format("{:<34} {} -> {}\n", difference.field, difference.recorded, difference.replayed);
  return {kDiffers, std::move(out), ""};
}

}  // namespace

std::vector<AdminVerb> review_verbs() {
  return {taking_long(
      {"replay",
       "Repeat a review with its stored inputs and compare; exits with 3 when they differ",
       {{"review_id", "Id of the review or of its authorization"},
        {"--bundle", "Use this rule bundle: its digest or first digits (default: the bundle of the review)"},
        {"--folder", "Use the rules of this folder", "", AdminOption::Kind::path},
        {"--tenant", "Tenant by name (default: `default`, else the only tenant)"}},
       replay})};
}

}  // namespace tideover::admin
