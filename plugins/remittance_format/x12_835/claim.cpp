#include "claim.hpp"

namespace x12_835 {
namespace {

namespace sdk = tideover::sdk;

constexpr std::string_view kReversal = "22";  // CLP02

std::int64_t sum_of(const std::vector<tideover_adjustment>& adjustments) {
  std::int64_t sum = 0;
  for (const auto& adjustment : adjustments) sum += adjustment.amount;
  return sum;
}

void doubt_sums(const Claim& claim, const Warn& warn) {
  const std::int64_t adjusted = sum_of(claim.adjustments);
  std::int64_t adjusted_on_lines = 0, paid_on_lines = 0;
  for (const auto& line : claim.lines) {
    const std::int64_t own = sum_of(line.adjustments);
    adjusted_on_lines += own;
    paid_on_lines += line.lent.paid_amount;
    if (const auto rest = line.lent.charge_amount - own - line.lent.paid_amount; rest != 0)
      warn(line.position, "SVC02 less its CAS is not SVC03: " + x12::dollars(rest) + " unexplained");
  }
  const auto& c = claim.lent;
  if (const auto rest = c.charge_amount - adjusted - adjusted_on_lines - c.paid_amount; rest != 0)
    warn(claim.position, "CLP03 less all CAS is not CLP04: " + x12::dollars(rest) + " unexplained");
  if (const auto rest = paid_on_lines - adjusted - c.paid_amount; !claim.lines.empty() && rest != 0)
    warn(claim.position, "the SVC03 of its lines less its CAS are not CLP04: " + x12::dollars(rest) + " unexplained");
}

void doubt_date(const Position& position, tideover_date service, const PaymentDates& dates, const Warn& warn) {
  if (sdk::is_none(service)) return;
  const auto day = sdk::to_days(service);
  if (day > sdk::to_days(dates.today))
    warn(position, "a service date is in the future");
  else if (!sdk::is_none(dates.paid) && day > sdk::to_days(dates.paid))
    warn(position, "a service date is after the payment date");
}

}  // namespace

int service_date_rank(std::string_view dtm01) {
  if (dtm01 == "472") return 1;                    // service
  if (dtm01 == "150" || dtm01 == "232") return 2;  // begin
  if (dtm01 == "151" || dtm01 == "233") return 3;  // end
  return 0;
}

void date_by_lines(Claim& claim) {
  if (claim.date_rank != 0) return;
  for (const auto& line : claim.lines) {
    if (line.date_rank == 0) continue;
    const auto date = line.lent.date_of_service;
    if (claim.date_rank == 0 || sdk::to_days(date) < sdk::to_days(claim.lent.date_of_service))
      claim.lent.date_of_service = date;
    claim.date_rank = line.date_rank;
  }
}

void doubt(const Claim& claim, const PaymentDates& dates, const Warn& warn) {
  doubt_sums(claim, warn);
  const bool is_reversal = sdk::view(claim.lent.status) == kReversal;
  if (is_reversal && claim.lent.paid_amount > 0) warn(claim.position, "a reversal (CLP02 = 22) pays money");
  if (!is_reversal && claim.lent.paid_amount < 0)
    warn(claim.position, "takes money back without being a reversal (CLP02 = 22)");
  doubt_date(claim.position, claim.lent.date_of_service, dates, warn);
  for (const auto& line : claim.lines) doubt_date(line.position, line.lent.date_of_service, dates, warn);
}

}  // namespace x12_835
