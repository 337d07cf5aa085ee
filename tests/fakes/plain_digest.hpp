// A digest without a key: FNV-1a twice. Equal texts of one purpose are equal, others differ.
#pragma once
#include <cstdint>
#include <cstdio>

#include "core/ports/keyed_digest.hpp"

namespace tideover::fakes {

class PlainDigest final : public ports::KeyedDigest {
 public:
  std::string digest(std::string_view purpose, std::string_view text) const override {
    std::uint64_t left = 0xcbf29ce484222325, right = 0x84222325cbf29ce4;
    for (const auto part : {purpose, std::string_view("\n"), text})
      for (const char c : part) {
        left = (left ^ static_cast<unsigned char>(c)) * 0x100000001b3;
        right = (right ^ static_cast<unsigned char>(c) ^ (left >> 32)) * 0x100000001b3;
      }
    char hex[33];
    std::snprintf(hex, sizeof hex, "%016llx%016llx", static_cast<unsigned long long>(left),
                  static_cast<unsigned long long>(right));
    return hex;
  }
};

}  // namespace tideover::fakes
