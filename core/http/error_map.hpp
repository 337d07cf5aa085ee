// The table from error codes to HTTP: status, WWW-Authenticate, retryability (core/docs/contract.md#errors). Pure
// functions.
#pragma once
#include <string>

#include "core/domain/basics/result.hpp"

namespace tideover::http {

int status_of(domain::ErrorCode code);
/// Whether the same request may succeed later.
bool is_retryable(domain::ErrorCode code);
/// The challenge of a 401 or of insufficient_scope; empty for other errors.
std::string challenge_of(domain::ErrorCode code);

}  // namespace tideover::http
