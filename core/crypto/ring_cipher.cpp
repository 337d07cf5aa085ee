#include "core/crypto/ring_cipher.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>

namespace tideover::crypto {
namespace {

/// Each part is preceded by its length, so that no two cells have the same text.
std::string associated_data(const ports::Cell& cell, std::string_view key_id) {
  std::string text;
  text.reserve(128);
  for (const std::string_view part : {cell.tenant, cell.table, cell.column, cell.row, key_id}) {
    const auto size = part.size();
    const char head[] = {static_cast<char>(size >> 24), static_cast<char>(size >> 16), static_cast<char>(size >> 8),
                         static_cast<char>(size)};
    text.append(head, sizeof head).append(part);
  }
  return text;
}

std::string pair_of(std::string_view left, std::string_view right) {
  std::string text;
  text.reserve(left.size() + 1 + right.size());
  return text.append(left).append("|").append(right);
}

/// The same for a look-up digest, of which every record has several: valid until the thread's next call.
const std::string& name_of(std::string_view left, std::string_view right) {
  thread_local std::string text;
  return text.assign(left).append("|").append(right);
}

/// The value under `name`, created when new. References stay valid: values are never removed from the map.
template <class Derived, class Make>
auto& found_or_made(const Derived& derived, const std::string& name, Make make) {
  {
    const std::shared_lock lock(derived.mutex);
    if (const auto found = derived.keys.find(name); found != derived.keys.end()) return *found->second;
  }
  auto made = make();
  const std::unique_lock lock(derived.mutex);
  return *derived.keys.try_emplace(name, std::move(made)).first->second;
}

}  // namespace

RingCipher::RingCipher(const KeyRing& ring)
    : ring_(ring), indexes_(ring.lasting().derive("blind-index-v1", 32).view()) {}

const RingCipher::SealingKey& RingCipher::sealing_key(const MasterKey& master, std::string_view tenant) const {
  return found_or_made(sealing_, name_of(master.kid(), tenant), [&] {
    return std::unique_ptr<const SealingKey>(
        new SealingKey{AesGcmKey(master.derive(pair_of("field-v1", tenant), AesGcmKey::kKeyBytes).view())});
  });
}

const HmacKey& RingCipher::index_key(std::string_view tenant, std::string_view purpose) const {
  return found_or_made(index_, name_of(purpose, tenant),
                       [&] { return std::make_unique<const HmacKey>(indexes_.sign(pair_of(purpose, tenant))); });
}

std::string RingCipher::seal_by(const MasterKey& master, const ports::Cell& cell, std::string_view plain) const {
  std::string sealed = ports::seal_head(master.kid());
  sealed.reserve(sealed.size() + AesGcmKey::kNonceBytes + plain.size() + AesGcmKey::kTagBytes);
  const SealingKey& under = sealing_key(master, cell.tenant);
  under.key.seal(associated_data(cell, master.kid()), plain, sealed);
  under.seals.fetch_add(1, std::memory_order_relaxed);
  return sealed;
}

std::map<std::string, std::uint64_t> RingCipher::take_seals() const {
  std::map<std::string, std::uint64_t> seals;
  const std::shared_lock lock(sealing_.mutex);
  for (const auto& [name, key] : sealing_.keys)
    if (const auto count = key->seals.exchange(0, std::memory_order_relaxed); count > 0)
      seals[name.substr(0, name.find('|'))] += count;
  return seals;
}

std::string RingCipher::seal(const ports::Cell& cell, std::string_view plain) const {
  return seal_by(*ring_.current(), cell, plain);
}

std::string RingCipher::seal_under(std::string_view key_id, const ports::Cell& cell, std::string_view plain) const {
  if (key_id == ring_.lasting().kid()) return seal_by(ring_.lasting(), cell, plain);
  const auto master = ring_.find(key_id);
  if (!master) throw std::invalid_argument("the key ring has no key " + std::string(key_id));
  return seal_by(*master, cell, plain);
}

std::variant<std::string, ports::SealFault> RingCipher::open(const ports::Cell& cell, std::string_view sealed) const {
  const std::string_view key_id = ports::key_of_seal(sealed);
  if (key_id.empty()) return ports::SealFault::damaged;
  const auto master = ring_.find(key_id);
  const bool by_lasting = key_id == ring_.lasting().kid();
  if (!master && !by_lasting) return ports::SealFault::unknown_key;
  const MasterKey& key = by_lasting ? ring_.lasting() : *master;
  auto plain = sealing_key(key, cell.tenant).key.open(associated_data(cell, key_id), sealed.substr(2 + key_id.size()));
  if (!plain) return ports::SealFault::damaged;
  return std::move(*plain);
}

std::string RingCipher::current_key() const {
  return ring_.current()->kid();
}

std::vector<std::string> RingCipher::keys() const {
  auto ids = ring_.kids();
  ids.insert(ids.begin(), ring_.lasting().kid());
  return ids;
}

ports::BlindIndex RingCipher::blind_index(std::string_view tenant, std::string_view purpose,
                                          std::string_view text) const {
  const Sha256Digest tag = index_key(tenant, purpose).sign(text);
  ports::BlindIndex index;
  std::copy_n(tag.begin(), index.size(), index.begin());
  return index;
}

}  // namespace tideover::crypto
