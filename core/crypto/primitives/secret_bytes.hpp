// Key material in memory: wiped on destruction, moved but never copied, compared without revealing where it differs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/crypto/primitives/byte_view.hpp"

namespace tideover::crypto {

class SecretBytes {
 public:
  SecretBytes() = default;
  explicit SecretBytes(std::size_t size) : bytes_(size) {}
  explicit SecretBytes(ByteView bytes) : bytes_(bytes.data(), bytes.data() + bytes.size()) {}
  SecretBytes(SecretBytes&& other) noexcept : bytes_(std::move(other.bytes_)) { other.bytes_.clear(); }
  SecretBytes& operator=(SecretBytes&& other) noexcept;
  SecretBytes(const SecretBytes&) = delete;
  SecretBytes& operator=(const SecretBytes&) = delete;
  ~SecretBytes();

  ByteView view() const { return bytes_; }
  std::span<std::uint8_t> writable() { return bytes_; }
  std::size_t size() const { return bytes_.size(); }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Overwrites memory in a way that the compiler must not remove.
void wipe(std::span<std::uint8_t> bytes);
void wipe(std::string& text);

/// The time depends on the sizes only. Values of different sizes are unequal.
bool constant_time_equal(ByteView left, ByteView right);

/// Fills from the cryptographic generator of the system. Throws std::runtime_error when that fails: there is no safe
/// alternative.
void fill_random(std::span<std::uint8_t> target);
std::vector<std::uint8_t> random_bytes(std::size_t size);

}  // namespace tideover::crypto
