// Decompresses a payload as a stream, with limits against decompression bombs: total bytes, and the ratio of output to
// input.
#pragma once
#include <cstdint>

#include "core/ports/plugins/payload_decoder.hpp"

namespace tideover::jobs {

struct PayloadLimits {
  std::int64_t inflated_bytes = 256 << 20;
  int ratio = 200;  // output : input, checked after the first megabyte; smaller payloads are never bombs
};

class PayloadDecoder final : public ports::PayloadDecoder {
 public:
  explicit PayloadDecoder(PayloadLimits limits) : limits_(limits) {}
  domain::Result<std::unique_ptr<ports::ByteSource>> decode(std::string_view encoding, ports::ByteSource& raw) override;

 private:
  PayloadLimits limits_;
};

}  // namespace tideover::jobs
