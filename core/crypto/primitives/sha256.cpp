#include "core/crypto/primitives/sha256.hpp"

#include <openssl/evp.h>

#include <stdexcept>

namespace tideover::crypto {
namespace {

// Fetched once: a fetch per digest costs more than the digest of a short text.
const EVP_MD* algorithm() {
  static const EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  if (fetched == nullptr) throw std::runtime_error("OpenSSL offers no SHA256; check its provider configuration");
  return fetched;
}

void require(int openssl_result) {
  if (openssl_result != 1) throw std::runtime_error("OpenSSL failed to compute a SHA-256 digest");
}

}  // namespace

struct Sha256::Context {
  Context() : evp(EVP_MD_CTX_new()) {
    if (evp == nullptr) throw std::bad_alloc();
  }
  ~Context() { EVP_MD_CTX_free(evp); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  EVP_MD_CTX* evp;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  require(EVP_DigestInit_ex2(context_->evp, algorithm(), nullptr));
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

Sha256& Sha256::update(ByteView bytes) {
  require(EVP_DigestUpdate(context_->evp, bytes.data(), bytes.size()));
  return *this;
}

Sha256Digest Sha256::finish() {
  Sha256Digest digest;
  require(EVP_DigestFinal_ex(context_->evp, digest.data(), nullptr));
  require(EVP_DigestInit_ex2(context_->evp, algorithm(), nullptr));
  return digest;
}

Sha256Digest sha256(ByteView bytes) {
  Sha256Digest digest;
  require(EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, algorithm(), nullptr));
  return digest;
}

}  // namespace tideover::crypto
