#include "core/usecases/reconciliation/learned_aliases.hpp"

#include <type_traits>

namespace tideover::usecases {
namespace {

template <class Alias>
constexpr bool kIsOfPayer = std::is_same_v<Alias, domain::PayerAlias>;

template <class Alias, class Records>
auto& aliases_in(Records& records) {
  if constexpr (kIsOfPayer<Alias>)
    return records.payer_aliases();
  else
    return records.payee_aliases();
}

template <class Alias>
domain::Error no_alias() {
  return domain::Error::of(domain::ErrorCode::not_found,
                           kIsOfPayer<Alias> ? "Payer alias not found." : "Payee alias not found.");
}

}  // namespace

template <class Alias>
domain::Result<std::vector<Alias>> LearnedAliases<Alias>::list(const domain::TenantId& tenant,
                                                               const domain::ListPage& page) const {
  return fetch(store_, [&](const ports::Records& records) { return aliases_in<Alias>(records).list(tenant, page); });
}

template <class Alias>
domain::Result<StoredResponse> LearnedAliases<Alias>::remove(const RequestContext& context, const std::string& alias_id,
                                                             const Render<AliasId>& render) {
  const auto id = AliasId::parse(alias_id);
  if (!id) return no_alias<Alias>();
  const auto& tenant = context.caller.tenant;
  const std::string body = render(*id);
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    // A remittance that arrives at the same time sees the alias or not, but never half of it.
    records.clients().guard_matching(tenant);
    auto& aliases = aliases_in<Alias>(records);
    const auto alias = aliases.find(tenant, *id);
    if (!alias || alias->removed_at) return no_alias<Alias>();
    aliases.remove(tenant, *id, context.now);
    leave_trace(records, context, ids_, id->text(), body);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{body};
}

template class LearnedAliases<domain::PayerAlias>;
template class LearnedAliases<domain::PayeeAlias>;

}  // namespace tideover::usecases
