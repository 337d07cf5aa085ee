// JSON strings for log lines and the operations pages. The JSON of the API is in core/http/wire. Pure functions.
#pragma once
#include <string>
#include <string_view>

namespace tideover::ops {

/// Appends the text in quotes. Control characters are escaped; invalid UTF-8 becomes U+FFFD, so the result is one
/// line of valid JSON for any input.
void append_json_string(std::string& out, std::string_view text);

}  // namespace tideover::ops
