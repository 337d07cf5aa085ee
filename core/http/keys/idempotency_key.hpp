// The Idempotency-Key of a request, and the object that was made with one.
//
// Threads: thread-safe.
#pragma once
#include <string>
#include <string_view>

#include "core/domain/basics/result.hpp"
#include "core/ports/store.hpp"

namespace tideover::http {

/// 1 to 255 visible ASCII characters.
bool is_idempotency_key(std::string_view text);

/// The name of the stored answer: unique for method, path and key.
std::string key_scope(std::string_view method, std::string_view path, std::string_view key);

/// The id of the object that a POST to `path` with this key made; empty when there is none, or when its answer is no
/// longer kept. Error invalid_parameter for `idempotency_key` when it is not a key.
domain::Result<std::string> object_made_with(ports::Store& store, const domain::TenantId& tenant, domain::Timestamp now,
                                             std::string_view path, std::string_view key);

}  // namespace tideover::http
