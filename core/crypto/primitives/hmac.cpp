#include "core/crypto/primitives/hmac.hpp"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <mutex>
#include <stdexcept>
#include <vector>

namespace tideover::crypto {
namespace {

struct FreeContext {
  void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
};
using ContextPtr = std::unique_ptr<EVP_MAC_CTX, FreeContext>;

void require(bool done) {
  if (!done) throw std::runtime_error("OpenSSL failed to compute an HMAC");
}

// Fetched once: a fetch per message costs several times as much as the message.
EVP_MAC* algorithm() {
  static EVP_MAC* const fetched = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  require(fetched != nullptr);
  return fetched;
}

ContextPtr keyed_context(ByteView key) {
  ContextPtr context(EVP_MAC_CTX_new(algorithm()));
  require(context != nullptr);
  char digest_name[] = "SHA256";
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest_name, 0),
                                   OSSL_PARAM_construct_end()};
  // OpenSSL takes a null key as "keep the old one", so an empty key still needs an address.
  const std::uint8_t empty = 0;
  require(EVP_MAC_init(context.get(), key.size() == 0 ? &empty : key.data(), key.size(), parameters) == 1);
  return context;
}

Sha256Digest finish(EVP_MAC_CTX* context) {
  Sha256Digest digest;
  std::size_t written = 0;
  require(EVP_MAC_final(context, digest.data(), &written, digest.size()) == 1 && written == digest.size());
  return digest;
}

}  // namespace

struct HmacKey::Contexts {
  explicit Contexts(ByteView key) : pristine(keyed_context(key)) {}

  ContextPtr take() {
    const std::lock_guard lock(mutex);
    if (idle.empty()) {
      ContextPtr copy(EVP_MAC_CTX_dup(pristine.get()));
      require(copy != nullptr);
      return copy;
    }
    ContextPtr context = std::move(idle.back());
    idle.pop_back();
    return context;
  }

  void give_back(ContextPtr context) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(context));
  }

  std::mutex mutex;
  const ContextPtr pristine;
  std::vector<ContextPtr> idle;
};

HmacKey::HmacKey(ByteView key) : contexts_(std::make_unique<Contexts>(key)) {}
HmacKey::~HmacKey() = default;
HmacKey::HmacKey(HmacKey&&) noexcept = default;
HmacKey& HmacKey::operator=(HmacKey&&) noexcept = default;

Sha256Digest HmacKey::sign_pieces(std::initializer_list<ByteView> pieces) const {
  ContextPtr context = contexts_->take();
  require(EVP_MAC_init(context.get(), nullptr, 0, nullptr) == 1);  // reset to the start, same key
  for (const ByteView piece : pieces) {
    require(EVP_MAC_update(context.get(), piece.data(), piece.size()) == 1);
  }
  const Sha256Digest digest = finish(context.get());
  contexts_->give_back(std::move(context));
  return digest;
}

SecretBytes hkdf_sha256(ByteView master, std::string_view label, std::size_t size) {
  const std::unique_ptr<EVP_KDF, decltype(&EVP_KDF_free)> kdf(EVP_KDF_fetch(nullptr, "HKDF", nullptr), &EVP_KDF_free);
  require(kdf != nullptr);
  const std::unique_ptr<EVP_KDF_CTX, decltype(&EVP_KDF_CTX_free)> context(EVP_KDF_CTX_new(kdf.get()),
                                                                          &EVP_KDF_CTX_free);
  require(context != nullptr);

  // OSSL_PARAM has non-const pointers, but HKDF only reads through them.
  char digest_name[] = "SHA256";
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest_name, 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, const_cast<std::uint8_t*>(master.data()), master.size()),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, const_cast<char*>(label.data()), label.size()),
      OSSL_PARAM_construct_end()};
  SecretBytes derived(size);
  require(EVP_KDF_derive(context.get(), derived.writable().data(), size, parameters) == 1);
  return derived;
}

}  // namespace tideover::crypto
