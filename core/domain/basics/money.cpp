#include "core/domain/basics/money.hpp"

#include <cstdlib>

#include "core/domain/basics/rounding.hpp"

namespace tideover::domain {
namespace {

Money money_of(Wide cents) {
  if (cents < std::numeric_limits<std::int64_t>::min() || cents > std::numeric_limits<std::int64_t>::max())
    throw std::overflow_error("a portion of money does not fit 64 bits");
  return Money::cents(static_cast<std::int64_t>(cents));
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

Money portion(Money amount, int bps) {
  return money_of(divide_half_even(Wide{amount.cents()} * bps, kOneInBps));
}

Money proportion(Money amount, Money part, Money whole) {
  return money_of(divide_half_even(Wide{amount.cents()} * part.cents(), whole.cents()));
}

std::optional<Money> parse_money(std::string_view text, bool allow_bare_point) {
  std::size_t at = 0;
  bool negative = false;
  if (at < text.size() && text[at] == '-') {
    negative = true;
    ++at;
  }
  // The digits without the point, and the number of decimals.
  std::string digits;
  int decimals = 0;
  const std::size_t whole_from = at;
  while (at < text.size() && is_digit(text[at])) digits += text[at++];
  const bool has_whole = at > whole_from;
  bool has_fraction = false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    const std::size_t from = at;
    while (at < text.size() && is_digit(text[at])) digits += text[at++];
    decimals = static_cast<int>(at - from);
    has_fraction = at > from;
    if (!has_fraction && !allow_bare_point) return std::nullopt;
  }
  if (!has_whole && !(allow_bare_point && has_fraction)) return std::nullopt;
  if (digits.empty() || digits.size() > 40) return std::nullopt;
  int exponent = 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    bool minus = false;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) minus = text[at++] == '-';
    const std::size_t from = at;
    while (at < text.size() && is_digit(text[at]) && at - from < 3) exponent = exponent * 10 + (text[at++] - '0');
    if (at == from) return std::nullopt;
    if (minus) exponent = -exponent;
  }
  if (at != text.size()) return std::nullopt;

  // cents = digits x 10^shift; a negative shift may only drop zeros.
  int shift = exponent - decimals + 2;
  while (shift < 0 && !digits.empty() && digits.back() == '0') {
    digits.pop_back();
    ++shift;
  }
  if (digits.empty()) return Money{};
  if (shift < 0) return std::nullopt;
  Wide value = 0;
  for (const char c : digits) {
    value = value * 10 + (c - '0');
    if (value > kLargestAmount.cents()) return std::nullopt;
  }
  for (; shift > 0 && value != 0; --shift) {
    value *= 10;
    if (value > kLargestAmount.cents()) return std::nullopt;
  }
  const auto cents = static_cast<std::int64_t>(value);
  return Money::cents(negative ? -cents : cents);
}

std::string format_money(Money amount) {
  const bool negative = amount.cents() < 0;
  const std::uint64_t magnitude =
      negative ? 0 - static_cast<std::uint64_t>(amount.cents()) : static_cast<std::uint64_t>(amount.cents());
  std::string text = negative ? "-" : "";
  text += std::to_string(magnitude / 100);
  text += '.';
  const auto rest = static_cast<int>(magnitude % 100);
  text += static_cast<char>('0' + rest / 10);
  text += static_cast<char>('0' + rest % 10);
  return text;
}

}  // namespace tideover::domain
