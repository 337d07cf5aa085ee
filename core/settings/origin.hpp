// Origins of web pages (RFC 6454), as browsers write them in the header Origin.
#pragma once
#include <string_view>

namespace tideover::settings {

/// True for a scheme http or https, a host in lower case and, if it is not the scheme's default, a port.
bool is_origin(std::string_view text);

}  // namespace tideover::settings
