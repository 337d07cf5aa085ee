// How files travel in requests.
#pragma once

#include <string>

namespace tideover::bench {

std::string gzip(const std::string& text);
std::string base64(const std::string& bytes);

}  // namespace tideover::bench
