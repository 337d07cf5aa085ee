#include "values.hpp"

#include "bank_text/values.hpp"

namespace camt053 {
namespace {

constexpr std::size_t kMostDigits = 12;
constexpr std::size_t kDayCharacters = 10;

}  // namespace

std::string clean(std::string_view text) {
  std::string cleaned(text);
  for (char& c : cleaned)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return std::string(bank_text::trim(cleaned));
}

std::string shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  text.resize(most);
  return text;
}

std::optional<std::int64_t> parse_amount(std::string_view text) {
  text = bank_text::trim(text);
  const auto point = text.find('.');
  const auto whole = text.substr(0, point);
  auto fraction = point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  if (whole.empty() || whole.size() > kMostDigits || fraction.size() > 2) return std::nullopt;
  const auto dollars = bank_text::parse_digits(whole);
  const auto cents = fraction.empty() ? std::optional<std::int64_t>(0) : bank_text::parse_digits(fraction);
  if (!dollars || !cents) return std::nullopt;
  return *dollars * 100 + (fraction.size() == 1 ? *cents * 10 : *cents);
}

std::optional<tideover_date> parse_day(std::string_view text) {
  text = bank_text::trim(text);
  if (text.size() < kDayCharacters || text[4] != '-' || text[7] != '-') return std::nullopt;
  if (text.size() > kDayCharacters && text[kDayCharacters] != 'T') return std::nullopt;
  return tideover::sdk::parse_compact_date(std::string(text.substr(0, 4)) + std::string(text.substr(5, 2)) +
                                           std::string(text.substr(8, 2)));
}

std::optional<std::int64_t> parse_count(std::string_view text) {
  return bank_text::parse_digits(bank_text::trim(text));
}

}  // namespace camt053
