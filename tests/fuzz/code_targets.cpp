// Codings, tokens and encrypted cells. A decoder that accepts two spellings of one value breaks signatures, so what is
// accepted must encode back to the very same bytes; forged tokens and cells must never open.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <variant>

#include "core/crypto/access_token.hpp"
#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/ring_cipher.hpp"
#include "core/crypto/webhook_signature.hpp"
#include "core/jobs/payload_decoder.hpp"
#include "tests/fuzz/target.hpp"

namespace tideover::fuzz {
namespace {

void encodings(std::string_view bytes) {
  if (const auto read = crypto::base64_decode(bytes))
    must(crypto::base64_encode(*read) == bytes, "one value has one Base64 spelling");
  if (const auto read = crypto::base64url_decode(bytes))
    must(crypto::base64url_encode(*read) == bytes, "one value has one Base64url spelling");
  if (const auto read = crypto::hex_decode(bytes))
    must(crypto::hex_encode(*read) == bytes, "one value has one hex spelling");
}

const crypto::KeyRing& ring() {
  static const auto made = [] {
    const auto folder = std::filesystem::temp_directory_path() / ("tideover-fuzz-" + std::to_string(::getpid()));
    auto opened = crypto::KeyRing::open_or_create(folder / "keys");
    std::filesystem::remove_all(folder);
    return std::move(std::get<crypto::KeyRing>(opened));
  }();
  return made;
}

void access_token(std::string_view bytes) {
  must(std::holds_alternative<crypto::TokenInvalid>(crypto::open(ring(), bytes, 1'763'640'000)),
       "a forged token does not open");
}

void encrypted_cell(std::string_view bytes) {
  static const crypto::RingCipher cipher(ring());
  must(std::holds_alternative<ports::SealFault>(cipher.open({"tenant", "table", "column", "row"}, bytes)),
       "a forged cell does not open");
}

void webhook_secret(std::string_view bytes) {
  if (const auto parsed = crypto::WebhookSecret::parse(bytes))
    must(parsed->bytes().size() >= 24 && parsed->bytes().size() <= 64, "a secret has 24 to 64 bytes");
}

class Bytes final : public ports::ByteSource {
 public:
  explicit Bytes(std::string_view bytes) : rest_(bytes) {}
  domain::Result<std::size_t> read(char* into, std::size_t capacity) override {
    const std::size_t count = std::min(capacity, rest_.size());
    rest_.copy(into, count);
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

void unpack(const char* coding, std::string_view bytes) {
  constexpr std::int64_t kMost = 1 << 20;
  jobs::PayloadDecoder decoder({kMost, 200});
  Bytes source(bytes);
  auto inflated = decoder.decode(coding, source);
  if (!inflated) return must(!inflated.error().message.empty(), "a refusal says why");
  std::int64_t total = 0;
  for (char buffer[4096];;) {
    const auto count = (*inflated)->read(buffer, sizeof buffer);
    if (!count) return must(!count.error().message.empty(), "a refusal says why");
    if (*count == 0) return;
    total += static_cast<std::int64_t>(*count);
    must(total <= kMost, "no payload grows past its limit");
  }
}

void gzip(std::string_view bytes) {
  unpack("gzip", bytes);
}
void zstd(std::string_view bytes) {
  unpack("zstd", bytes);
}

}  // namespace

std::vector<Target> code_targets() {
  return {{"encodings", encodings, {}},
          {"access_token", access_token, {}},
          {"encrypted_cell", encrypted_cell, {}},
          {"webhook_secret", webhook_secret, {}},
          {"gzip", gzip, {}},
          {"zstd", zstd, {}}};
}

}  // namespace tideover::fuzz
