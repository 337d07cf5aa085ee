#include "core/domain/basics/id.hpp"

#include "core/domain/basics/within.hpp"

namespace tideover::domain {
namespace {
constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
__extension__ using Wide = unsigned __int128;
}  // namespace

std::string ulid_text(Ulid value) {
  Wide bits = (static_cast<Wide>(value.high) << 64) | value.low;
  std::string text(26, '0');
  for (std::size_t i = 26; i-- > 0; bits >>= 5) text[i] = kAlphabet[static_cast<std::size_t>(bits & 31)];
  return text;
}

std::string ulid_time_text(std::int64_t ms) {
  constexpr std::int64_t kLatest = (std::int64_t{1} << 48) - 1;
  constexpr std::size_t kTimeCharacters = 10;
  const auto held = static_cast<std::uint64_t>(within(ms, std::int64_t{0}, kLatest));
  return ulid_text({held << 16, 0}).substr(0, kTimeCharacters);
}

std::optional<Ulid> parse_ulid(std::string_view text) {
  if (text.size() != 26 || text[0] > '7') return std::nullopt;  // 130 bits of text hold 128 bits of value
  Wide bits = 0;
  for (char c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    const auto digit = kAlphabet.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 5) | digit;
  }
  return Ulid{static_cast<std::uint64_t>(bits >> 64), static_cast<std::uint64_t>(bits)};
}

}  // namespace tideover::domain
