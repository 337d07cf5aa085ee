#include "core/node/own_trail.hpp"

#include <array>
#include <fstream>

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/sha256.hpp"
#include "core/settings/field.hpp"

namespace tideover::node {

void note(ports::Store& store, const ports::Clock& clock, ports::IdSource& ids, const std::string& operation,
          const std::string& object, const std::string& outcome) {
  (void)store.commit([&](ports::Records& records) -> domain::Status {
    records.audit().append({}, {ids.next<domain::AuditId>(), {}, "", operation, object, outcome, clock.now()});
    return {};
  });
}

std::string digest_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return "unreadable";
  crypto::Sha256 digest;
  std::array<char, 1 << 16> piece;
  while (stream.read(piece.data(), piece.size()), stream.gcount() > 0)
    digest.update(std::string_view(piece.data(), static_cast<std::size_t>(stream.gcount())));
  return crypto::hex_encode(digest.finish());
}

std::string digest_of(settings::Settings settings) {
  std::string lines;
  for (const auto& field : settings::fields_of(settings)) lines += field.key + '=' + settings::print(field) + '\n';
  return crypto::hex_encode(crypto::sha256(lines));
}

}  // namespace tideover::node
