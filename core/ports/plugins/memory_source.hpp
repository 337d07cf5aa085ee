// Bytes in memory as a ByteSource.
#pragma once
#include <algorithm>
#include <cstring>
#include <string_view>

#include "core/ports/plugins/byte_source.hpp"

namespace tideover::ports {

class MemorySource final : public ByteSource {
 public:
  /// `bytes` must outlive the source.
  explicit MemorySource(std::string_view bytes) : left_(bytes) {}
  domain::Result<std::size_t> read(char* into, std::size_t capacity) override {
    const std::size_t n = std::min(capacity, left_.size());
    std::memcpy(into, left_.data(), n);
    left_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view left_;
};

}  // namespace tideover::ports
