// Content codings of an import payload.
#pragma once
#include <memory>
#include <string_view>

#include "core/ports/plugins/byte_source.hpp"

namespace tideover::ports {

class PayloadDecoder {
 public:
  virtual ~PayloadDecoder() = default;
  /// `encoding`: gzip | zstd | none. The stream fails with invalid_payload for broken data (bad magic, truncated, wrong
  /// CRC), and with payload_too_large beyond the configured size or ratio. `raw` must outlive it.
  virtual domain::Result<std::unique_ptr<ByteSource>> decode(std::string_view encoding, ByteSource& raw) = 0;
};

}  // namespace tideover::ports
