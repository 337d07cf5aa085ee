#include "core/crypto/primitives/aes_gcm.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "core/crypto/primitives/secret_bytes.hpp"

namespace tideover::crypto {
namespace {

void require(bool done) {
  if (!done) throw std::runtime_error("OpenSSL failed to compute AES-256-GCM");
}

// Fetched once: a fetch per value costs more than encrypting the value.
const EVP_CIPHER* algorithm() {
  static const EVP_CIPHER* const fetched = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr);
  require(fetched != nullptr);
  return fetched;
}

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using ContextPtr = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

ContextPtr new_context() {
  ContextPtr context(EVP_CIPHER_CTX_new());
  require(context != nullptr);
  return context;
}

/// The working set of one thread: contexts for both directions with the key set, and random bytes for the next nonces,
/// because a call of the generator for twelve bytes costs more than encrypting a short text.
struct Worker {
  explicit Worker(ByteView key) : sealing(new_context()), opening(new_context()) {
    require(EVP_EncryptInit_ex2(sealing.get(), algorithm(), key.data(), nullptr, nullptr) == 1);
    require(EVP_DecryptInit_ex2(opening.get(), algorithm(), key.data(), nullptr, nullptr) == 1);
  }

  AesGcmKey::Nonce next_nonce() {
    if (used == random.size()) {
      fill_random(random);
      used = 0;
    }
    AesGcmKey::Nonce nonce;
    std::copy_n(random.begin() + static_cast<std::ptrdiff_t>(used), nonce.size(), nonce.begin());
    used += nonce.size();
    return nonce;
  }

  ContextPtr sealing;
  ContextPtr opening;
  std::array<std::uint8_t, 64 * AesGcmKey::kNonceBytes> random{};
  std::size_t used = random.size();
};

std::uint8_t* end_of(std::string& text, std::size_t from) {
  return reinterpret_cast<std::uint8_t*>(text.data()) + from;
}

/// Passes bytes through a context. OpenSSL takes empty input as the end of the data.
template <class Update>
bool take_in(Update update, EVP_CIPHER_CTX* context, std::uint8_t* out, ByteView bytes) {
  int written = 0;
  return bytes.size() == 0 || update(context, out, &written, bytes.data(), static_cast<int>(bytes.size())) == 1;
}

void seal_by(EVP_CIPHER_CTX* context, const AesGcmKey::Nonce& nonce, ByteView associated, ByteView plain,
             std::string& out) {
  const std::size_t start = out.size();
  out.resize(start + nonce.size() + plain.size() + AesGcmKey::kTagBytes);
  std::copy(nonce.begin(), nonce.end(), end_of(out, start));
  int written = 0;
  require(EVP_EncryptInit_ex2(context, nullptr, nullptr, nonce.data(), nullptr) == 1);
  require(take_in(EVP_EncryptUpdate, context, nullptr, associated));
  auto* text = end_of(out, start + nonce.size());
  require(take_in(EVP_EncryptUpdate, context, text, plain));
  require(EVP_EncryptFinal_ex(context, text + plain.size(), &written) == 1);
  require(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, AesGcmKey::kTagBytes, text + plain.size()) == 1);
}

}  // namespace

struct AesGcmKey::Contexts {
  explicit Contexts(ByteView bytes) : key(bytes) {}

  std::unique_ptr<Worker> take() {
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        auto worker = std::move(idle.back());
        idle.pop_back();
        return worker;
      }
    }
    return std::make_unique<Worker>(key.view());
  }

  void give_back(std::unique_ptr<Worker> worker) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(worker));
  }

  const SecretBytes key;
  std::mutex mutex;
  std::vector<std::unique_ptr<Worker>> idle;
};

AesGcmKey::AesGcmKey(ByteView key) {
  if (key.size() != kKeyBytes) throw std::invalid_argument("an AES-256 key must have 32 bytes");
  contexts_ = std::make_unique<Contexts>(key);
}
AesGcmKey::~AesGcmKey() = default;

void AesGcmKey::seal(ByteView associated, ByteView plain, std::string& out) const {
  auto worker = contexts_->take();
  seal_by(worker->sealing.get(), worker->next_nonce(), associated, plain, out);
  contexts_->give_back(std::move(worker));
}

std::optional<std::string> AesGcmKey::open(ByteView associated, ByteView sealed) const {
  if (sealed.size() < kNonceBytes + kTagBytes) return std::nullopt;
  const std::size_t size = sealed.size() - kNonceBytes - kTagBytes;
  const std::uint8_t* const text = sealed.data() + kNonceBytes;
  std::array<std::uint8_t, kTagBytes> tag;
  std::copy_n(text + size, kTagBytes, tag.begin());

  auto worker = contexts_->take();
  EVP_CIPHER_CTX* const context = worker->opening.get();
  std::string plain(size, '\0');
  int written = 0;
  require(EVP_DecryptInit_ex2(context, nullptr, nullptr, sealed.data(), nullptr) == 1);
  require(take_in(EVP_DecryptUpdate, context, nullptr, associated));
  require(take_in(EVP_DecryptUpdate, context, end_of(plain, 0), std::span(text, size)));
  require(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, kTagBytes, tag.data()) == 1);
  const bool authentic = EVP_DecryptFinal_ex(context, end_of(plain, size), &written) == 1;
  contexts_->give_back(std::move(worker));
  if (authentic) return plain;
  wipe(plain);
  return std::nullopt;
}

}  // namespace tideover::crypto
