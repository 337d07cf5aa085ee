// Helpers for commands that need payers, rules or formats in addition to a context. They are loaded as `serve` does, so
// the commands work with and without a running service. Funding rails are not loaded.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/admin/admin_context.hpp"
#include "core/clock/new_york_time.hpp"
#include "core/crypto/lasting_digest.hpp"
#include "core/domain/basics/date.hpp"

namespace tideover::lua {
struct LoadOptions;
struct LoadResult;
struct Ruleset;
}  // namespace tideover::lua

namespace tideover::plugin_host {
class PluginHost;
}

namespace tideover::ports {
class ImportFormats;
class PayerDirectory;
class RemittanceFormats;
class RulePolicy;
}  // namespace tideover::ports

namespace tideover::usecases {
struct RequestContext;
}

namespace tideover::admin {

class StoreAdminContext {
 public:
  explicit StoreAdminContext(AdminContext& given);
  ~StoreAdminContext();

  const ports::KeyedDigest& digests() const { return digests_; }
  ports::PayerDirectory& payers();
  ports::ImportFormats& imports();
  ports::RemittanceFormats& remittances();

 private:
  const crypto::LastingDigest digests_;
  const clock::NewYorkTime bank_time_;
  const std::unique_ptr<plugin_host::PluginHost> plugins_;
};

/// The live rules, compiled again. Throws StartError when they are not valid.
std::shared_ptr<const lua::Ruleset> ruleset_in_force(AdminContext& context, const lua::LoadOptions& options);
/// The same, as the policy of a command that posts payments.
std::shared_ptr<ports::RulePolicy> rules_in_force(AdminContext& context);

/// The loaded rules, or a StartError with their errors. `what` names them in the message: "candidate".
std::shared_ptr<const lua::Ruleset> sound(lua::LoadResult loaded, const std::string& what);

/// The digest of the one filed bundle that starts with the given text. Throws StartError when there is none, or more
/// than one.
std::string bundle_named(AdminContext& context, const std::string& prefix);
/// The date of an option; nullopt when it is absent. Throws StartError when it is not a date.
std::optional<domain::Date> day_of(const AdminRequest& request, const char* option);

/// "claim_identifier=Claim No, submitted_amount=Billed": field -> header. Throws StartError when a = is missing.
std::vector<std::pair<std::string, std::string>> mapping_of(std::string_view text);

/// The context of a request for the tenant of this name. Throws StartError when there is none.
usecases::RequestContext request_context_for(AdminContext& context, const std::string& tenant_name,
                                             const std::string& operation);

}  // namespace tideover::admin
