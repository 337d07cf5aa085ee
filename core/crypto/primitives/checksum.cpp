#include "core/crypto/primitives/checksum.hpp"

#include <zlib.h>

namespace tideover::crypto {

std::uint32_t crc32(ByteView bytes) {
  return static_cast<std::uint32_t>(::crc32_z(0, bytes.data(), bytes.size()));
}

}  // namespace tideover::crypto
