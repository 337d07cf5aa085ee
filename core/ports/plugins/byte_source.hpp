// A stream of bytes, read once from start to end. One owner at a time.
#pragma once
#include <cstddef>

#include "core/domain/basics/result.hpp"

namespace tideover::ports {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads up to `capacity` bytes; 0: end. An Error (broken gzip, a limit exceeded) ends the stream.
  virtual domain::Result<std::size_t> read(char* into, std::size_t capacity) = 0;
  /// Of a source that decodes another one: bytes that it has taken from there and not decoded yet.
  virtual std::size_t undecoded() const { return 0; }
};

}  // namespace tideover::ports
