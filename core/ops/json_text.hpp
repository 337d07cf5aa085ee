// Just enough JSON for log lines and the operators' pages: one string, safely. The API's JSON is core/http/wire's.
#pragma once
#include <string>
#include <string_view>

namespace tideover::ops {

/// Appends the text in quotes. Control characters are escaped; bytes that are not UTF-8 become U+FFFD, so that a line
/// stays one line and valid JSON whatever it is given.
void append_json_string(std::string& out, std::string_view text);

}  // namespace tideover::ops
