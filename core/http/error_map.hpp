// The one table from refusals to HTTP: status, WWW-Authenticate, retryability (core/docs/contract.md#errors).
#pragma once
#include <string>

#include "core/domain/basics/result.hpp"

namespace tideover::http {

int status_of(domain::ErrorCode code);
/// Whether the same request may succeed later.
bool is_retryable(domain::ErrorCode code);
/// Challenge that goes with a 401 or an insufficient_scope; empty for none.
std::string challenge_of(domain::ErrorCode code);

}  // namespace tideover::http
