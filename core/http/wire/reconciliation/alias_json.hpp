// JSON of learned names (GET and DELETE /v1/payers/aliases and /v1/payee_aliases).
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/domain/reconciliation/payee_alias.hpp"
#include "core/domain/reconciliation/payer_alias.hpp"
#include "core/http/wire/basics/cursor.hpp"

namespace tideover::wire {

/// `aliases` has one more than `limit` when there are further ones.
std::string encode_aliases(const std::vector<domain::PayerAlias>& aliases, const PageFrame& page);
std::string encode_aliases(const std::vector<domain::PayeeAlias>& aliases, const PageFrame& page);

}  // namespace tideover::wire
