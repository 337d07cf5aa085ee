// CRC-32 (the polynomial of gzip): finds accidents, not attacks. Anything that must resist an attacker uses an HMAC.
#pragma once
#include <cstdint>

#include "core/crypto/primitives/byte_view.hpp"

namespace tideover::crypto {

std::uint32_t crc32(ByteView bytes);

}  // namespace tideover::crypto
