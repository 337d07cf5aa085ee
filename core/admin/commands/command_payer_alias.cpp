// tideover payer alias list|remove: ids and originators of payers that remittances taught.
#include <fmt/core.h>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/expect.hpp"
#include "core/admin/store_admin_context.hpp"
#include "core/admin/tenant_named.hpp"
#include "core/usecases/reconciliation/learned_aliases.hpp"

namespace tideover::admin {
namespace {

AdminReply list(AdminContext& context, const AdminRequest& request) {
  constexpr std::size_t kPage = 500;
  const usecases::PayerAliases aliases(context.store, context.ids);
  const auto tenant = tenant_named(context, request.option("tenant")).id;
  AdminReply reply;
  std::string last;
  for (bool more = true; more;) {
    const auto page = expect(aliases.list(tenant, {last, kPage}));
    for (const auto& alias : page) {
      reply.out +=
          fmt::format("{}  {:<10}  {:<20}  payer={}  remittance={}  learned={}\n", alias.id.text(), name_of(alias.kind),
                      alias.alias, alias.payer_id, alias.remittance.text(), format_timestamp(alias.learned_at));
      last = alias.id.text();
    }
    more = page.size() == kPage;
  }
  return reply;
}

AdminReply remove(AdminContext& context, const AdminRequest& request) {
  usecases::PayerAliases aliases(context.store, context.ids);
  const auto removed =
      expect(aliases.remove(request_context_for(context, request.option("tenant"), "tideover payer alias remove"),
                            request.option("alias_id"), [](const domain::PayerAliasId& id) { return id.text(); }));
  return {0, removed.body + " is removed. Remittances that it named before keep their payer.\n", ""};
}

}  // namespace

std::vector<AdminVerb> payer_alias_verbs() {
  const AdminOption tenant{"--tenant", "Tenant by name (default: `default`, else the only tenant)"};
  return {{"list", "List the learned ids and originators of payers", {tenant}, list},
          {"remove",
           "Remove one, so that it names no payer any more",
           {{"alias_id", "The id of the alias, see `list`"}, tenant},
           remove}};
}

}  // namespace tideover::admin
