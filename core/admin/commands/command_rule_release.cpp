// tideover rules promote|approve|reject|rollback|history|status: the release of rules on all nodes, with its history.
#include <fmt/core.h>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/expect.hpp"
#include "core/admin/store_admin_context.hpp"
#include "core/domain/claims/reason_code.hpp"
#include "core/node/rule_keeper.hpp"
#include "core/node/start.hpp"
#include "core/settings/settings.hpp"

namespace tideover::admin {
namespace {

constexpr std::size_t kShownActs = 50;
constexpr std::size_t kShownBundles = 10;

std::string short_of(const std::string& sha256) {
  return sha256.substr(0, 12);
}

usecases::ReleaseRules release_at(AdminContext& context) {
  auto options = node::release_options(context.settings);
  options.usable = [&context](const domain::RuleBundle& bundle) {
    return context.rules
               ? context.rules->get_ready(bundle)
               : node::usable(bundle, node::rule_options(context.settings, node::load_reason_codes(context.settings)));
  };
  return {context.store, context.clock, context.ids, std::move(options)};
}

/// Applies the change to this node at once; other nodes follow at the effective time.
std::string switched(AdminContext& context, const domain::LiveRules& live) {
  if (context.rules) context.rules->follow_store();
  return live.effective_at > context.clock.now() ? " All nodes switch at " + format_timestamp(live.effective_at) + "."
                                                 : "";
}

AdminReply promote(AdminContext& context, const AdminRequest& request) {
  const auto named = request.option("bundle");
  const auto actor = request.option("by"), reason = request.option("reason");
  auto release = release_at(context);
  std::string sha256;
  if (!named.empty()) {
    sha256 = bundle_named(context, named);
  } else {
    const auto folder = request.option("folder").empty() ? context.settings.rules.folder
                                                         : std::filesystem::path(request.option("folder"));
    const auto loaded =
        lua::load_ruleset(folder, node::rule_options(context.settings, node::load_reason_codes(context.settings)));
    if (!loaded.ruleset) {
      std::string text;
      for (const auto& error : loaded.errors) text += error.text() + '\n';
      return {1, "",
              text + fmt::format("{} error(s) in {}. Nothing was changed.\n", loaded.errors.size(), folder.string())};
    }
    sha256 = loaded.sha256;
    const auto filed = expect(release.file(node::filing_of(loaded), actor));
    if (node::release_options(context.settings).needs_second_operator && filed.state == domain::BundleState::tested)
      return {0,
              fmt::format(
                  "{} ({}) is filed and needs the approval of a second operator:\n  tideover rules approve {}\nthen\n  "
                  "tideover rules promote --bundle {}\n",
                  short_of(sha256), filed.version, short_of(sha256), short_of(sha256)),
              ""};
  }
  const auto live = expect(release.promote(sha256, actor, reason));
  return {0, fmt::format("{} is live.{}\n", short_of(sha256), switched(context, live)), ""};
}

AdminReply approve(AdminContext& context, const AdminRequest& request) {
  const auto sha256 = bundle_named(context, request.option("bundle"));
  expect(release_at(context).approve(sha256, request.option("by"), request.option("reason")));
  return {0,
          fmt::format("{} is approved. Make it live with tideover rules promote --bundle {}.\n", short_of(sha256),
                      short_of(sha256)),
          ""};
}

AdminReply reject(AdminContext& context, const AdminRequest& request) {
  const auto sha256 = bundle_named(context, request.option("bundle"));
  if (request.option("reason").empty()) throw node::StartError("--reason TEXT is required.");
  expect(release_at(context).reject(sha256, request.option("by"), request.option("reason")));
  return {0, short_of(sha256) + " is rejected.\n", ""};
}

AdminReply roll_back(AdminContext& context, const AdminRequest& request) {
  const auto to = request.option("to").empty() ? "" : bundle_named(context, request.option("to"));
  const auto live = expect(release_at(context).roll_back(to, request.option("by"), request.option("reason")));
  return {
      0,
      fmt::format(
          "{} is live again and pinned. Changes in the rule folder have no effect until tideover rules promote.{}\n",
          short_of(live.sha256), switched(context, live)),
      ""};
}

AdminReply history(AdminContext& context, const AdminRequest&) {
  std::string out;
  const auto acts =
      expect(fetch(context.store, [](const ports::Records& records) { return records.rules().history(kShownActs); }));
  for (const auto& act : acts)
    out += fmt::format("{}  {}  {:<11}  by {}{}\n", format_timestamp(act.at), short_of(act.sha256), name_of(act.act),
                       act.actor, act.reason.empty() ? "" : ": " + act.reason.substr(0, act.reason.find('\n')));
  return {0, out, ""};
}

AdminReply status(AdminContext& context, const AdminRequest&) {
  auto out = expect(fetch(context.store, [](const ports::Records& records) {
    std::string lines;
    if (const auto live = records.rules().live())
      lines += fmt::format("live         {}{}, since {} (generation {})\n", short_of(live->sha256),
                           live->is_pinned ? ", pinned" : "", format_timestamp(live->effective_at), live->generation);
    for (const auto& bundle : records.rules().list(kShownBundles))
      lines += fmt::format("bundle       {}  {:<9}  {:<8}  filed {} by {}{}{}\n", short_of(bundle.sha256),
                           name_of(bundle.state), bundle.version, format_timestamp(bundle.filed_at), bundle.filed_by,
                           bundle.approved_by.empty() ? "" : ", approved by " + bundle.approved_by,
                           bundle.reason.empty() ? "" : ": " + bundle.reason.substr(0, bundle.reason.find('\n')));
    return lines;
  }));
  if (context.rules) out += context.rules->status();
  return {0, out, ""};
}

}  // namespace

std::vector<AdminVerb> rule_release_verbs() {
  using Kind = AdminOption::Kind;
  const AdminOption reason{"--reason", "Reason, for the history"};
  return {{"promote",
           "Make rules live: those of the folder, or a filed bundle",
           {{"--bundle", "A filed bundle, by the first digits of its digest"},
            {"--folder", "Rule folder (default: the configured one)", "", Kind::path},
            reason},
           promote},
          {"approve",
           "Approve a bundle that another operator filed",
           {{"bundle", "First digits of its digest"}, reason},
           approve},
          {"reject",
           "Reject a bundle, so that it cannot be promoted",
           {{"bundle", "First digits of its digest"}, reason},
           reject},
          {"rollback",
           "Make the previous rules live again and pin them",
           {{"--to", "Another bundle, by the first digits of its digest"}, reason},
           roll_back},
          {"history", "List the releases of rules, latest first", {}, history},
          {"status", "Show live rules, waiting bundles and the state of this node's folder", {}, status}};
}

}  // namespace tideover::admin
