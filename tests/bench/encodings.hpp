// How files travel in requests.
#pragma once

#include <string>

#include "tests/support/gzip.hpp"

namespace tideover::bench {

using test::gzip;
std::string base64(const std::string& bytes);

}  // namespace tideover::bench
