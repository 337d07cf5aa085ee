// The amounts that Medicare's physician fee schedule allows: relative values, priced by locality and year, and the
// adjustments for modifiers and companion lines (42 CFR 414.20 to 414.40; Medicare Claims Processing Manual, chapter
// 12). Pure; reads no table.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/basics/money.hpp"

namespace tideover::domain {

/// All values are millionths: a relative value of 1.72 is 1 720 000, a conversion factor of 32.3465 is 32 346 500.
inline constexpr std::int64_t kOneInMillionths = 1'000'000;

struct RelativeValues {
  std::int64_t work = 0, practice = 0, malpractice = 0;
};

/// Geographic practice cost indices of a locality; the default is the national price.
struct PriceIndices {
  std::int64_t work = kOneInMillionths, practice = kOneInMillionths, malpractice = kOneInMillionths;
};

/// Units of a service line are thousandths.
inline constexpr std::int64_t kOneUnitMilli = 1000;

/// (work x index + practice x index + malpractice x index) x conversion factor, rounded half-even to the cent: the
/// price of one unit, from nothing to kLargestAmount.
Money medicare_fee(const RelativeValues& values, const PriceIndices& indices, std::int64_t conversion_factor);

/// Indicators of the relative value file; '9' or ' ' where it does not apply.
struct FeeIndicators {
  char multiple = '0';                           // 2 surgery, 3 endoscopy, 4 imaging, 5 therapy
  char bilateral = '0';                          // 1: two sides are paid 150 %
  char assistant = '0';                          // 1: never paid
  char co_surgeon = '0';                         // 1, 2: two surgeons are paid 62.5 % each
  int pre_bps = 0, intra_bps = 0, post_bps = 0;  // parts of a global period; 0 without one
  int global_days = 0;                           // 10 or 90; 0 without a global period
};

struct MedicareLine {
  RelativeValues values;     // at the site of service; of the part that modifier 26 or TC names
  RelativeValues technical;  // the technical part; zero when there is none or it is unknown
  FeeIndicators indicators;
  std::string endoscopy_base{};  // the base endoscopy of the line's family
  RelativeValues endoscopy_base_values{};
  std::string modifiers{};  // "25:59"
  std::int64_t units_milli = 1000;
};

struct MedicareTerms {
  PriceIndices indices;
  std::int64_t conversion_factor = 0;
  int provider_bps = kOneInBps;       // 8500 for nurse practitioners and physician assistants
  int participation_bps = kOneInBps;  // 9500 for providers that do not participate
};

/// What tables have for one service line: the fee schedule before modifiers and companion lines, and the payer's
/// contract.
struct ListedFee {
  std::optional<Money> fee;         // for all units, at most kLargestAmount; nullopt: no price
  int global_days = 0;              // of a surgery: 10 or 90
  std::optional<Money> contract{};  // the allowed amount for all units; nullopt: no contract
  friend bool operator==(const ListedFee&, const ListedFee&) = default;
};

/// The allowed amount of each line of one patient's day: modifiers first, then reductions for procedures that are done
/// together. Without sequestration, which lowers the payment and not the allowed amount.
std::vector<Money> medicare_fees(const std::vector<MedicareLine>& lines, const MedicareTerms& terms);

}  // namespace tideover::domain
