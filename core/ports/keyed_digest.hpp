// Keyed one-way digests: equal inputs can be found, and nothing can be read back. Thread-safe.
#pragma once
#include <string>
#include <string_view>

namespace tideover::ports {

class KeyedDigest {
 public:
  virtual ~KeyedDigest() = default;
  /// 32 lower-case hex digits of HMAC-SHA256(key of `purpose`, text).
  virtual std::string digest(std::string_view purpose, std::string_view text) const = 0;
};

}  // namespace tideover::ports
