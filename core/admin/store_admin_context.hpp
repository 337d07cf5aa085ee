// What the commands that take files in need beside a context: payers, rules and formats of their own, loaded as `serve`
// would, so that they work with and without a running service. No funding rail is among them.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/admin/admin_context.hpp"
#include "core/crypto/lasting_digest.hpp"
#include "core/node/start.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::main {

struct StoreAdminContext {
  explicit StoreAdminContext(AdminContext& given);
  AdminContext& context;
  crypto::LastingDigest digests;
  clock::NewYorkTime bank_time;
  std::unique_ptr<plugin_host::PluginHost> plugins;
};

/// The rules in force, compiled anew. Throws StartError when they cannot be used.
std::shared_ptr<const lua::Ruleset> ruleset_in_force(AdminContext& context, const lua::LoadOptions& options);

/// The rules that were read, or a StartError with their faults. `what` names them: "candidate".
std::shared_ptr<const lua::Ruleset> sound(lua::LoadResult loaded, const std::string& what);

/// The digest of the one filed bundle that begins as the operator wrote it. Throws StartError when there is none, or
/// several.
std::string bundle_named(AdminContext& context, const std::string& prefix);
/// The day that an option names; nullopt where it is not given. StartError for what is no day.
std::optional<domain::Date> day_of(const AdminRequest& request, const char* option);

/// "claim_identifier=Claim No, submitted_amount=Billed": field -> header. Throws StartError where there is no =.
std::vector<std::pair<std::string, std::string>> mapping_of(std::string_view text);

/// The command as an act of the tenant of this name; throws StartError when there is none.
usecases::RequestContext request_context_for(AdminContext& context, const std::string& tenant_name,
                                             const std::string& operation);

}  // namespace tideover::main
