// What can be known about a claim at its submission with every hidden constant of the world, but no
// draw: probabilities, amounts, days. Denials, patient shares and rework are enumerated exactly over all sets of denied
// lines; that money is taken back is reckoned at the median day, and a set of denied lines is reworked with the mean of
// its lines' odds.
#pragma once
#include <cstdint>
#include <vector>

#include "tests/bench/claimsim/world/claim.hpp"
#include "tests/bench/claimsim/world/delay.hpp"
#include "tests/bench/claimsim/world/world.hpp"

namespace tideover::claimsim {

/// One line adjudicated clean, cents.
struct CleanLine {
  std::int64_t contractual = 0;  // CO 45: beyond the contract
  std::int64_t reduction = 0;    // CO 59: second and further surgical lines
  std::int64_t allowed = 0;
};

/// `factor` is 1 for the contract's own price. Lesser of charge and price.
std::vector<CleanLine> clean_lines(const World& world, const Claim& claim, double factor);

/// What the patient pays of each line: CARC 1, 2 or 3.
struct Patient {
  int carc = 0;  // 0: nothing
  std::vector<std::int64_t> of_line;
};
struct PatientOption {
  double probability;
  Patient patient;
};
std::vector<PatientOption> patient_options(const PatientShare& share, const std::vector<CleanLine>& lines);

/// Payer's money of a line: allowed less the patient's part, less 2 % of Medicare's.
std::int64_t payer_cash(const Payer& payer, std::int64_t allowed, std::int64_t patient);
std::int64_t sequestered(const Payer& payer, std::int64_t allowed, std::int64_t patient);

struct Outlook {
  double p_denial = 0, expected_cash_90 = 0, expected_if_paid = 0, risk = 0, confidence = 0;
  std::int64_t allowed = 0;
  int days_80 = 0;
  QuantileDays days{};
};

/// The days of a claim: of a first response that pays, and of one that denies.
struct Timing {
  Days paid, denied;
};
/// A denial takes no transfer and is decided a little sooner.
Timing timing_of(const Delay& delay, domain::Date submitted, const Calendar& calendar);

Outlook outlook_of(const World& world, const Claim& claim, const Odds& odds, const Timing& timing,
                   const ReworkLag& rework, const Calendar& calendar);

/// Share of the charge of the lines in `denied` (bit i = line i).
double denied_share(const Claim& claim, unsigned denied);
/// The label: all lines, or half of the charge.
bool counts_as_denied(const Claim& claim, unsigned denied);

}  // namespace tideover::claimsim
