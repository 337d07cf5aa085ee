// Streams a payload through its content coding, with bounds against bombs: total bytes and the ratio to what was read.
#pragma once
#include <cstdint>

#include "core/ports/plugins/payload_decoder.hpp"

namespace tideover::jobs {

struct PayloadLimits {
  std::int64_t inflated_bytes = 256 << 20;
  int ratio = 200;  // inflated : sent; counted from the first megabyte on, below which no payload is a bomb
};

class PayloadDecoder final : public ports::PayloadDecoder {
 public:
  explicit PayloadDecoder(PayloadLimits limits) : limits_(limits) {}
  domain::Result<std::unique_ptr<ports::ByteSource>> decode(std::string_view encoding, ports::ByteSource& raw) override;

 private:
  PayloadLimits limits_;
};

}  // namespace tideover::jobs
