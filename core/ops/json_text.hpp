// Writes one JSON string, for log lines and the pages of the operations port. The JSON of the API is in core/http/wire.
#pragma once
#include <string>
#include <string_view>

namespace tideover::ops {

/// Appends the text in quotes. Control characters are escaped and invalid UTF-8 becomes U+FFFD, so that any input gives
/// one line of valid JSON.
void append_json_string(std::string& out, std::string_view text);

}  // namespace tideover::ops
