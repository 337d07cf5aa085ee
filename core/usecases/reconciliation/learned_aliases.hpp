// Lists and removes the names that remittances taught: ids and originators of payers (GET and DELETE
// /v1/payers/aliases; core/docs/contract.md#matching), ids of practices (GET and DELETE /v1/payee_aliases;
// core/docs/waterfall.md).
//
// Threads: thread-safe.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

/// `Alias`: domain::PayerAlias or domain::PayeeAlias.
template <class Alias>
class LearnedAliases {
 public:
  using AliasId = decltype(Alias::id);

  LearnedAliases(ports::Store& store, ports::IdSource& ids) : store_(store), ids_(ids) {}
  domain::Result<std::vector<Alias>> list(const domain::TenantId& tenant, const domain::ListPage& page) const;
  /// Later remittances are not named by it, and it is not learned again. What was posted stays. Error not_found.
  domain::Result<StoredResponse> remove(const RequestContext& context, const std::string& alias_id,
                                        const Render<AliasId>& render);

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
};

using PayerAliases = LearnedAliases<domain::PayerAlias>;
using PayeeAliases = LearnedAliases<domain::PayeeAlias>;

}  // namespace tideover::usecases
