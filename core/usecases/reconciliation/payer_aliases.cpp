#include "core/usecases/reconciliation/payer_aliases.hpp"

namespace tideover::usecases {
namespace {

domain::Error no_alias() {
  return domain::Error::of(domain::ErrorCode::not_found, "Payer alias not found.");
}

}  // namespace

domain::Result<std::vector<domain::PayerAlias>> PayerAliases::list(const domain::TenantId& tenant,
                                                                   std::string_view after, std::size_t limit) const {
  return fetch(store_,
               [&](const ports::Records& records) { return records.payer_aliases().list(tenant, after, limit); });
}

domain::Result<StoredResponse> PayerAliases::remove(const RequestContext& context, const std::string& alias_id,
                                                    const Render<domain::PayerAliasId>& render) {
  const auto id = domain::PayerAliasId::parse(alias_id);
  if (!id) return no_alias();
  const auto& tenant = context.caller.tenant;
  const std::string body = render(*id);
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    // A remittance that arrives at the same time sees the alias or not, but never half of it.
    records.clients().guard_matching(tenant);
    const auto alias = records.payer_aliases().find(tenant, *id);
    if (!alias || alias->removed_at) return no_alias();
    records.payer_aliases().remove(tenant, *id, context.now);
    leave_trace(records, context, ids_, id->text(), body);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{body};
}

}  // namespace tideover::usecases
