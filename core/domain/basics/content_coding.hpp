// The encodings in which a file may be sent (field `encoding` of imports, remittance and deposit files).
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

namespace tideover::domain {

/// gzip: RFC 1952; zstd: RFC 8878.
inline constexpr std::array<std::string_view, 3> kContentCodings{"none", "gzip", "zstd"};

constexpr bool is_content_coding(std::string_view name) {
  return std::find(kContentCodings.begin(), kContentCodings.end(), name) != kContentCodings.end();
}

}  // namespace tideover::domain
