// CRC-32 (the polynomial of gzip): detects accidental changes, not attacks. Use an HMAC against attackers.
#pragma once
#include <cstdint>

#include "core/crypto/primitives/byte_view.hpp"

namespace tideover::crypto {

std::uint32_t crc32(ByteView bytes);

}  // namespace tideover::crypto
