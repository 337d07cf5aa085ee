// The amounts that Medicare's physician fee schedule allows: relative values, priced by locality and year (42 CFR
// 414.20 to 414.40), before modifiers and companion lines change them. Pure; reads no table.
#pragma once
#include <cstdint>
#include <optional>

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

/// A procedure of the fee schedule.
struct ListedProcedure {
  RelativeValues values;  // at the site of service; of the part that modifier 26 or TC names
  int global_days = 0;    // 10 or 90; 0 without a global period
};

/// What tables have for one service line: the fee schedule before modifiers and companion lines, and the payer's
/// contract.
struct ListedFee {
  std::optional<Money> fee;         // for all units, at most kLargestAmount; nullopt: no price
  int global_days = 0;              // of a surgery: 10 or 90
  std::optional<Money> contract{};  // the allowed amount for all units; nullopt: no contract
  friend bool operator==(const ListedFee&, const ListedFee&) = default;
};

}  // namespace tideover::domain
