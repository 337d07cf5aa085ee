// Lists and removes the ids and originators that remittances taught for payers (GET and DELETE /v1/payers/aliases;
// core/docs/contract.md#matching).
//
// Threads: thread-safe.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

class PayerAliases {
 public:
  PayerAliases(ports::Store& store, ports::IdSource& ids) : store_(store), ids_(ids) {}
  domain::Result<std::vector<domain::PayerAlias>> list(const domain::TenantId& tenant, std::string_view after,
                                                       std::size_t limit) const;
  /// Later remittances are not named by it, and it is not learned again. What was posted stays. Error not_found.
  domain::Result<StoredResponse> remove(const RequestContext& context, const std::string& alias_id,
                                        const Render<domain::PayerAliasId>& render);

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases
