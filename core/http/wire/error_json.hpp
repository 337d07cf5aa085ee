// The error body (spec: Errors; contract section 12).
#pragma once
#include <string>

#include "core/domain/result.hpp"

namespace tideover::wire {

/// `problem` adds the members of RFC 9457.
std::string encode_error(const domain::Error& error, const std::string& request_id, int status, bool retryable, bool problem);

}  // namespace tideover::wire
