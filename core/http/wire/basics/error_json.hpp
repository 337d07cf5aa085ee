// The error body (openapi.yaml: Errors; core/docs/contract.md#errors). Pure functions.
#pragma once
#include <string>

#include "core/domain/basics/result.hpp"
#include "core/http/wire/json/json.hpp"

namespace tideover::wire {

/// `problem` adds the members of RFC 9457.
std::string encode_error(const domain::Error& error, const std::string& request_id, int status, bool retryable,
                         bool problem);

// Errors of the body as a whole; `details.fields` names it "body".
domain::Error malformed(domain::ErrorCode code, const json::ParseError& error);
domain::Error not_an_object(domain::ErrorCode code);

}  // namespace tideover::wire
