#include "core/crypto/signing_key.hpp"

#include <openssl/evp.h>

#include <stdexcept>

namespace tideover::crypto {
namespace {

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
struct FreeKey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
using ContextPtr = std::unique_ptr<EVP_MD_CTX, FreeContext>;
using KeyPtr = std::unique_ptr<EVP_PKEY, FreeKey>;

void require(bool done) {
  if (!done) throw std::runtime_error("OpenSSL failed to use an Ed25519 key");
}

ContextPtr new_context() {
  ContextPtr context(EVP_MD_CTX_new());
  require(context != nullptr);
  return context;
}

}  // namespace

struct SigningKey::Key {
  KeyPtr evp;
};

SigningKey::SigningKey(ByteView seed)
    : key_(new Key{KeyPtr(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size()))}) {
  require(key_->evp != nullptr);
}
SigningKey::~SigningKey() = default;
SigningKey::SigningKey(SigningKey&&) noexcept = default;
SigningKey& SigningKey::operator=(SigningKey&&) noexcept = default;

PublicKey SigningKey::public_key() const {
  PublicKey bytes;
  std::size_t size = bytes.size();
  require(EVP_PKEY_get_raw_public_key(key_->evp.get(), bytes.data(), &size) == 1 && size == bytes.size());
  return bytes;
}

Signature SigningKey::sign(ByteView message) const {
  const ContextPtr context = new_context();
  Signature signature;
  std::size_t size = signature.size();
  require(EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_->evp.get()) == 1 &&
          EVP_DigestSign(context.get(), signature.data(), &size, message.data(), message.size()) == 1 &&
          size == signature.size());
  return signature;
}

bool signature_holds(const PublicKey& key, ByteView message, ByteView signature) {
  const KeyPtr evp(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, key.data(), key.size()));
  if (!evp) return false;
  const ContextPtr context = new_context();
  require(EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, evp.get()) == 1);
  return EVP_DigestVerify(context.get(), signature.data(), signature.size(), message.data(), message.size()) == 1;
}

}  // namespace tideover::crypto
