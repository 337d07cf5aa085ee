#include "core/domain/ledger/period.hpp"

namespace tideover::domain {

std::optional<Month> Month::parse(std::string_view text) {
  if (text.size() != 7) return std::nullopt;
  const auto first = parse_date(std::string(text) + "-01");
  return first ? std::optional(of(*first)) : std::nullopt;
}

Month Month::of(Date day) {
  const auto parts = day.ymd();
  return {parts.year, parts.month};
}

Date Month::first_day() const {
  return Date::from_ymd(year_, month_, 1).value_or(Date{});
}

Date Month::last_day() const {
  constexpr int kMostDays = 31;
  const auto in_next = first_day().plus(kMostDays);
  return in_next.plus(-static_cast<int>(in_next.ymd().day));
}

std::string Month::text() const {
  return format_date(first_day()).substr(0, 7);
}

std::optional<Error> refusal_of_close(Month month, const LedgerDays& days) {
  const auto refused = [&](const std::string& why) {
    return Error::of(ErrorCode::invalid_state, why).with("period", month.text());
  };
  if (month.last_day() >= days.today)
    return refused("This period has not ended. Close it after " + format_date(month.last_day()) + " (UTC).");
  if (days.closed_through && month.last_day() <= *days.closed_through)
    return refused("This period is before the last closed one, and closed with it.");
  std::optional<Month> earliest;
  if (days.closed_through)
    earliest = Month::of(days.closed_through->plus(1));
  else if (days.first)
    earliest = Month::of(*days.first);
  if (earliest && *earliest < month) return refused("An earlier period is open. Close " + earliest->text() + " first.");
  return std::nullopt;
}

void keep_out_of_closed(LedgerTransaction& transaction, std::optional<Date> closed_through) {
  if (!closed_through || transaction.effective_on > *closed_through) return;
  if (!transaction.occurred_on) transaction.occurred_on = transaction.effective_on;
  transaction.effective_on = closed_through->plus(1);
}

}  // namespace tideover::domain
