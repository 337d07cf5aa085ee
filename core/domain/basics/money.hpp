// US dollars as int64 cents, never floating point. Products use 128 bits. Each result is rounded once, half-even
// (core/docs/contract.md#formats).
//
// Errors: a sum that does not fit 64 bits throws std::overflow_error, which ends the unit of work without a posting. An
// accepted amount is at most kLargestAmount, so that takes about 900 million amounts.
#pragma once
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tideover::domain {

/// The only accepted currency. Amounts in another one are refused, never converted.
inline constexpr std::string_view kCurrency = "USD";
inline constexpr std::string_view kOtherCurrency = "must be USD";

/// A rate in basis points: 10 000 bps = 1. Probabilities with four decimals use the same unit.
inline constexpr int kOneInBps = 10'000;

class Money {
 public:
  constexpr Money() = default;
  static constexpr Money cents(std::int64_t value) { return Money(value); }
  constexpr std::int64_t cents() const { return cents_; }
  constexpr bool is_zero() const { return cents_ == 0; }

  friend constexpr Money operator+(Money a, Money b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a.cents_, b.cents_, &sum))
      throw std::overflow_error("a sum of money does not fit 64 bits");
    return Money(sum);
  }
  friend constexpr Money operator-(Money a, Money b) {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(a.cents_, b.cents_, &difference))
      throw std::overflow_error("a difference of money does not fit 64 bits");
    return Money(difference);
  }
  friend constexpr Money operator-(Money a) { return Money() - a; }
  constexpr Money& operator+=(Money other) { return *this = *this + other; }
  constexpr Money& operator-=(Money other) { return *this = *this - other; }
  friend constexpr auto operator<=>(Money, Money) = default;

 private:
  explicit constexpr Money(std::int64_t value) : cents_(value) {}
  std::int64_t cents_ = 0;
};

/// Both ends are included.
struct MoneyRange {
  Money least;
  Money most;
  static constexpr MoneyRange just(Money amount) { return {amount, amount}; }
  static constexpr MoneyRange any() {
    return {Money::cents(std::numeric_limits<std::int64_t>::min()),
            Money::cents(std::numeric_limits<std::int64_t>::max())};
  }
};

/// The largest accepted amount: 99 999 999.99 (core/docs/contract.md#formats).
inline constexpr Money kLargestAmount = Money::cents(9'999'999'999);

/// amount x bps / 10 000, rounded half-even to the cent. Throws std::overflow_error where the product does not fit 64
/// bits.
Money portion(Money amount, int bps);

/// amount x part / whole, rounded half-even to the cent; `whole` above 0.
Money proportion(Money amount, Money part, Money whole);

/// Reads the raw text of a JSON or X12 decimal ("1000", "1e3", "-12.50", ".5"). More than two significant decimals,
/// a sum beyond +-kLargestAmount or anything else gives nullopt. `allow_bare_point` admits X12's ".5" and "5.".
std::optional<Money> parse_money(std::string_view text, bool allow_bare_point = false);

/// "1000.00", "-0.05".
std::string format_money(Money amount);

}  // namespace tideover::domain
