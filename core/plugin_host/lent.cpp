#include "core/plugin_host/lent.hpp"

#include "core/domain/text.hpp"

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

std::optional<std::string> ein_of(const std::string& originator_id) {
  if (originator_id.size() != 10 || originator_id.front() != '1') return std::nullopt;
  return originator_id.substr(1);
}

}  // namespace tideover::plugin_host
