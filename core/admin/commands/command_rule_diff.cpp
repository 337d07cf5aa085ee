// tideover rules diff: compares rules, parameters and lines of two folders or filed bundles.
#include <fmt/core.h>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/expect.hpp"
#include "core/admin/store_admin_context.hpp"
#include "core/domain/claims/reason_code.hpp"
#include "core/lua/ruleset/loader.hpp"
#include "core/lua/tools/rule_diff.hpp"
#include "core/node/start.hpp"
#include "core/ports/store.hpp"

namespace tideover::admin {
namespace {

/// The rules of a folder, or of the filed bundle whose digest starts with the text.
std::shared_ptr<const lua::Ruleset> rules_named(AdminContext& context, const std::string& path,
                                                const lua::LoadOptions& options) {
  if (std::filesystem::is_directory(path)) return sound(lua::load_ruleset(std::filesystem::path(path), options), path);
  const auto prefix = std::filesystem::path(path).filename().string();
  const auto sha256 = bundle_named(context, prefix);
  const auto filed =
      expect(fetch(context.store, [&](const ports::Records& records) { return records.rules().find(sha256); }));
  auto bundle = filed ? lua::unpack(filed->files, sha256) : std::nullopt;
  if (!bundle) throw node::StartError(fmt::format("Bundle {:.12} has no stored files: it was rejected.", sha256));
  return sound(lua::load_ruleset(std::move(*bundle), options), prefix);
}

AdminReply diff(AdminContext& context, const AdminRequest& request) {
  const auto options = node::rule_options(context.settings, node::load_reason_codes(context.settings));
  const auto first = rules_named(context, request.option("rules"), options);
  const bool is_pair = !request.option("other").empty();
  const auto before = is_pair ? first : ruleset_in_force(context, options);
  const auto after = is_pair ? rules_named(context, request.option("other"), options) : first;
  const auto text = lua::differences(*before, *after);
  return {0,
          fmt::format("before {} ({:.12}), after {} ({:.12})\n{}", before->stamp.version, before->stamp.sha256,
                      after->stamp.version, after->stamp.sha256, text.empty() ? "no differences\n" : text),
          ""};
}

}  // namespace

std::vector<AdminVerb> rule_diff_verbs() {
  using Kind = AdminOption::Kind;
  return {{"diff",
           "Compare rules, parameters and lines: the live rules with these, or these with the second ones",
           {{"rules", "A rule folder, or the first digits of a filed bundle's digest", "", Kind::path},
            {"other", "The rules to compare with", "", Kind::path, true}},
           diff}};
}

}  // namespace tideover::admin
