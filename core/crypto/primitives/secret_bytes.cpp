#include "core/crypto/primitives/secret_bytes.hpp"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <stdexcept>

namespace tideover::crypto {

SecretBytes& SecretBytes::operator=(SecretBytes&& other) noexcept {
  if (this != &other) {
    wipe(bytes_);
    bytes_ = std::move(other.bytes_);
    other.bytes_.clear();
  }
  return *this;
}

SecretBytes::~SecretBytes() {
  wipe(bytes_);
}

void wipe(std::span<std::uint8_t> bytes) {
  OPENSSL_cleanse(bytes.data(), bytes.size());
}

void wipe(std::string& text) {
  OPENSSL_cleanse(text.data(), text.size());
  text.clear();
}

bool constant_time_equal(ByteView left, ByteView right) {
  return left.size() == right.size() && CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

void fill_random(std::span<std::uint8_t> target) {
  if (RAND_bytes(target.data(), static_cast<int>(target.size())) != 1) {
    throw std::runtime_error("the random generator of the system failed; keys, tokens and secrets cannot be created");
  }
}

std::vector<std::uint8_t> random_bytes(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  fill_random(bytes);
  return bytes;
}

}  // namespace tideover::crypto
