// File names as printable ASCII: any other byte, '%' and '/' are written as %XX. Pure functions.
#pragma once
#include <string>
#include <string_view>

namespace tideover::pickup {

std::string safe_name(std::string_view raw);
std::string raw_name(std::string_view safe);

}  // namespace tideover::pickup
