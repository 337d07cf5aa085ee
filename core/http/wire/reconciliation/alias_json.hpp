// JSON of learned names (GET and DELETE /v1/payers/aliases and /v1/payee_aliases).
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/domain/reconciliation/payee_alias.hpp"
#include "core/domain/reconciliation/payer_alias.hpp"

namespace tideover::wire {

/// `aliases` has one more than `limit` when there are further ones.
std::string encode_aliases(const std::vector<domain::PayerAlias>& aliases, std::size_t limit);
std::string encode_aliases(const std::vector<domain::PayeeAlias>& aliases, std::size_t limit);

}  // namespace tideover::wire
