// A cipher without cryptography that keeps the promises which stores rely on: a value opens in its own cell only, and
// its bytes are no text. One key, "plain".
#pragma once
#include <stdexcept>

#include "core/ports/field_cipher.hpp"
#include "tests/fakes/plain_digest.hpp"

namespace tideover::fakes {

class PlainCipher final : public ports::FieldCipher {
 public:
  std::string seal(const ports::Cell& cell, std::string_view plain) const override {
    return seal_under("plain", cell, plain);
  }

  std::variant<std::string, ports::SealFault> open(const ports::Cell& cell, std::string_view sealed) const override {
    const auto key_id = ports::key_of_seal(sealed);
    if (key_id.empty()) return ports::SealFault::damaged;
    if (key_id != "plain" && key_id != "lasting") return ports::SealFault::unknown_key;
    const auto place = place_of(cell);
    sealed.remove_prefix(2 + key_id.size());
    if (!sealed.starts_with(place)) return ports::SealFault::damaged;
    return turned(sealed.substr(place.size()));
  }

  std::string current_key() const override { return "plain"; }
  std::vector<std::string> keys() const override { return {"lasting", "plain"}; }

  std::string seal_under(std::string_view key_id, const ports::Cell& cell, std::string_view plain) const override {
    if (key_id != "plain" && key_id != "lasting") throw std::invalid_argument("no such key");
    return ports::seal_head(key_id) + place_of(cell) + turned(plain);
  }

  ports::BlindIndex blind_index(std::string_view tenant, std::string_view purpose,
                                std::string_view text) const override {
    const auto digest = PlainDigest().digest(purpose, std::string(tenant) + '\n' + std::string(text));
    ports::BlindIndex index{};
    for (std::size_t i = 0; i < index.size(); ++i)
      index[i] = static_cast<std::uint8_t>(std::stoi(digest.substr(2 * i, 2), nullptr, 16));
    return index;
  }

 private:
  static std::string place_of(const ports::Cell& cell) {
    std::string place;
    for (const auto part : {cell.tenant, cell.table, cell.column, cell.row}) place.append(part).append("\n");
    return PlainDigest().digest("cell", place);
  }
  static std::string turned(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(c ^ 0x80);
    return out;
  }
};

}  // namespace tideover::fakes
