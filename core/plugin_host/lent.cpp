#include "core/plugin_host/lent.hpp"

namespace tideover::plugin_host {
namespace {

/// RFC 3629 without NUL: no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool is_text(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead == 0) return false;
    std::size_t following = 0;
    unsigned low = 0x80, high = 0xBF;  // of the second byte
    if (lead >= 0xC2 && lead <= 0xDF) {
      following = 1;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
      following = 2;
      if (lead == 0xE0) low = 0xA0;
      if (lead == 0xED) high = 0x9F;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
      following = 3;
      if (lead == 0xF0) low = 0x90;
      if (lead == 0xF4) high = 0x8F;
    } else if (lead >= 0x80) {
      return false;
    }
    if (text.size() - i - 1 < following) return false;
    for (std::size_t k = 1; k <= following; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      if (byte < (k == 1 ? low : 0x80u) || byte > (k == 1 ? high : 0xBFu)) return false;
    }
    i += 1 + following;
  }
  return true;
}

}  // namespace

std::optional<std::string> take_text(tideover_str lent, std::size_t longest) {
  if (lent.len == 0) return std::string();
  if (lent.ptr == nullptr || lent.len > longest) return std::nullopt;
  const std::string_view text(lent.ptr, lent.len);
  if (!is_text(text)) return std::nullopt;
  return std::string(text);
}

std::optional<std::vector<std::string>> take_list(tideover_str_list lent) {
  std::vector<std::string> taken;
  if (lent.count == 0) return taken;
  if (lent.items == nullptr || lent.count > kLongestList) return std::nullopt;
  taken.reserve(lent.count);
  for (std::size_t i = 0; i < lent.count; ++i) {
    auto text = take_text(lent.items[i]);
    if (!text) return std::nullopt;
    taken.push_back(std::move(*text));
  }
  return taken;
}

std::optional<std::vector<std::pair<std::string, std::string>>> take_pairs(tideover_pair_list lent, std::size_t longest) {
  std::vector<std::pair<std::string, std::string>> taken;
  if (lent.count == 0) return taken;
  if (lent.items == nullptr || lent.count > kLongestList) return std::nullopt;
  taken.reserve(lent.count);
  for (std::size_t i = 0; i < lent.count; ++i) {
    auto key = take_text(lent.items[i].key, longest);
    auto value = take_text(lent.items[i].value, longest);
    if (!key || !value) return std::nullopt;
    taken.emplace_back(std::move(*key), std::move(*value));
  }
  return taken;
}

std::optional<domain::Money> take_money(std::int64_t cents) {
  if (cents > domain::kLargestAmount.cents() || cents < -domain::kLargestAmount.cents()) return std::nullopt;
  return domain::Money::cents(cents);
}

std::optional<TakenDate> take_date(tideover_date lent) {
  if (lent.year == 0 && lent.month == 0 && lent.day == 0) return TakenDate{};
  if (lent.month < 1 || lent.day < 1) return std::nullopt;
  const auto date =
      domain::Date::from_ymd(lent.year, static_cast<unsigned>(lent.month), static_cast<unsigned>(lent.day));
  if (!date) return std::nullopt;
  return TakenDate{date};
}

tideover_date lend(domain::Date date) {
  const auto ymd = date.ymd();
  return {ymd.year, static_cast<std::int32_t>(ymd.month), static_cast<std::int32_t>(ymd.day)};
}

}  // namespace tideover::plugin_host
