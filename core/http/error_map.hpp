// The one mapping from error codes to HTTP: status, WWW-Authenticate, retryable or not (core/docs/contract.md#errors).
#pragma once
#include <string>

#include "core/domain/basics/result.hpp"

namespace tideover::http {

int status_of(domain::ErrorCode code);
/// Whether the same request may succeed later.
bool is_retryable(domain::ErrorCode code);
/// Adds the faulty field to an error of a request that has no fields, where its code alone tells the field.
void name_field(domain::Error& error);

/// The challenge of a 401 or an insufficient_scope; empty when there is none.
std::string challenge_of(domain::ErrorCode code);

}  // namespace tideover::http
