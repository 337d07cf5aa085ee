#include "core/domain/operations/sandbox_clock.hpp"

#include <string>

namespace tideover::domain {
namespace {

constexpr std::int64_t kSecondMs = 1000;
constexpr std::int64_t kDayMs = 86'400 * kSecondMs;
constexpr std::int64_t kMostDurationMs = 36'525 * kDayMs;
constexpr std::size_t kMostDigits = 10;

struct Unit {
  char letter;
  std::int64_t ms;
};
constexpr Unit kOfDate[] = {{'D', kDayMs}};
constexpr Unit kOfTime[] = {{'H', 3600 * kSecondMs}, {'M', 60 * kSecondMs}, {'S', kSecondMs}};
constexpr Unit kOfWeeks[] = {{'W', 7 * kDayMs}};

/// Reads numbers with the letters of `units`, each at most once and in their order. Returns how many there were; -1 for
/// a text that is no duration. Takes what it reads from `text`.
template <std::size_t N>
int read_parts(std::string_view& text, const Unit (&units)[N], std::int64_t& total) {
  int parts = 0;
  std::size_t next = 0;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    const auto digits = text.find_first_not_of("0123456789");
    if (digits == std::string_view::npos || digits > kMostDigits) return -1;
    std::int64_t number = 0;
    for (const char digit : text.substr(0, digits)) number = number * 10 + (digit - '0');
    while (next < N && units[next].letter != text[digits]) ++next;
    if (next == N) return -1;
    const auto ms = units[next++].ms;
    if (number > (kMostDurationMs - total) / ms) return -1;
    total += number * ms;
    text.remove_prefix(digits + 1);
    ++parts;
  }
  return parts;
}

}  // namespace

std::optional<std::int64_t> parse_duration(std::string_view text) {
  if (!text.starts_with('P')) return std::nullopt;
  text.remove_prefix(1);
  std::int64_t total = 0;
  if (text.ends_with('W')) {
    if (read_parts(text, kOfWeeks, total) != 1) return std::nullopt;
  } else {
    if (read_parts(text, kOfDate, total) < 0) return std::nullopt;
    if (text.starts_with('T')) {
      text.remove_prefix(1);
      if (read_parts(text, kOfTime, total) < 1) return std::nullopt;
    }
  }
  if (!text.empty() || total == 0) return std::nullopt;
  return total;
}

Result<TenantTime> moved(const ClockMove& move, Timestamp real_now, std::int64_t shift_ms, bool has_data) {
  const auto before = real_now.plus_ms(shift_ms);
  const auto after = move.set ? *move.set : before.plus_ms(move.advance_ms.value_or(0));
  const auto shift = after.ms() - real_now.ms();
  constexpr std::int64_t kMost = kMostShiftDays * kDayMs;
  if (shift > kMost || shift < -kMost) {
    const std::string field = move.set ? "set" : "advance";
    auto refusal = Error::of(ErrorCode::validation_error, "The clock would be too far from the real time.");
    refusal.fields.push_back({field, "must keep the clock within 3650 days of the real time"});
    return refusal;
  }
  if (after < before && has_data)
    return Error::of(ErrorCode::invalid_state,
                     "The clock only advances once the tenant has data. Set a time that is not before details.now.")
        .with("now", format_timestamp(before));
  return TenantTime{after, shift};
}

}  // namespace tideover::domain
