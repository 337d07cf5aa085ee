#include "core/plugin_host/calls/lent.hpp"

#include <algorithm>

#include "core/domain/basics/text.hpp"

namespace tideover::plugin_host {
std::optional<std::string> take_text(tideover_str lent, std::size_t longest) {
  if (lent.len == 0) return std::string();
  if (lent.ptr == nullptr || lent.len > longest) return std::nullopt;
  const std::string_view text(lent.ptr, lent.len);
  if (!domain::is_utf8(text) || text.find('\0') != std::string_view::npos) return std::nullopt;
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

std::optional<std::vector<std::pair<std::string, std::string>>> take_pairs(tideover_pair_list lent,
                                                                           std::size_t longest) {
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

std::optional<std::string> take_label(tideover_str lent, std::size_t longest) {
  auto text = take_text(lent, longest);
  if (text && !domain::is_printable(*text)) return std::nullopt;
  return text;
}

std::optional<std::vector<std::string>> take_labels(tideover_str_list lent) {
  auto texts = take_list(lent);
  if (texts &&
      !std::all_of(texts->begin(), texts->end(), [](const std::string& text) { return domain::is_printable(text); }))
    return std::nullopt;
  return texts;
}

std::optional<std::vector<std::pair<std::string, std::string>>> take_label_pairs(tideover_pair_list lent) {
  auto pairs = take_pairs(lent);
  const auto is_fine = [](const auto& pair) {
    return domain::is_printable(pair.first) && domain::is_printable(pair.second);
  };
  if (pairs && !std::all_of(pairs->begin(), pairs->end(), is_fine)) return std::nullopt;
  return pairs;
}

std::string take_message(tideover_str lent, std::size_t longest) {
  constexpr std::string_view kCut = " [cut]";
  std::string message;
  if (lent.len == 0 || lent.ptr == nullptr) return message;
  const std::string_view text(lent.ptr, std::min(lent.len, longest));
  for (std::size_t at = 0; at < text.size();) {
    const auto length = domain::utf8_length(text.substr(at));
    const auto character = text.substr(at, std::max<std::size_t>(length, 1));
    at += character.size();
    const bool is_half = length == 0 && lent.len > longest && at + 3 > text.size();  // position where the text was cut
    if (length > 0)
      message += domain::is_printable(character) ? character : " ";
    else if (!is_half)
      message += '?';
  }
  if (lent.len > longest) message += kCut;
  return message;
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

std::optional<domain::Timestamp> take_instant(std::int64_t utc_ms) {
  const auto begin = domain::Date::from_ymd(1900, 1, 1), last = domain::Date::from_ymd(2199, 12, 31);
  constexpr std::int64_t kDayMs = 86'400'000;
  if (utc_ms < begin->days() * kDayMs || utc_ms >= (last->days() + 1) * kDayMs) return std::nullopt;
  return domain::Timestamp::from_ms(utc_ms);
}

std::optional<std::string> ein_of(const std::string& originator_id) {
  if (originator_id.size() != 10 || originator_id.front() != '1') return std::nullopt;
  return originator_id.substr(1);
}

}  // namespace tideover::plugin_host
