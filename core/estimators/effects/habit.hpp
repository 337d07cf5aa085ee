// The usual behaviour of providers, for rules about unusual claims: charges per procedure, and how often modifier 59 or
// X{EPSU} unbundles.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "core/domain/basics/money.hpp"
#include "core/estimators/basics/key.hpp"
#include "core/estimators/basics/submission.hpp"
#include "core/estimators/basics/table.hpp"

namespace tideover::estimators {

class Habits {
 public:
  explicit Habits(std::size_t most) : charges_(most), distinct_(most / 4), payers_(most / 16) {}

  void submitted(const Submission& claim);

  /// 99.5 % of this provider's unit charges for the procedure were at most this, for `units_milli` units; nullopt below
  /// 20 charges.
  std::optional<domain::Money> unusual_charge(Key billing, Key code, std::int64_t units_milli) const;
  /// Share of this provider's claims of several lines with a distinct-service modifier, in basis points.
  int distinct_modifier_bps(Key billing) const;
  /// 95 % of the payer's claims with several lines come from providers with at most this share; nullopt below 100
  /// claims.
  std::optional<int> distinct_modifier_usual_bps(Key payer) const;

  std::size_t bytes() const { return charges_.bytes() + distinct_.bytes() + payers_.bytes(); }
  void put_into(Digest& digest) const;

 private:
  struct Charges {
    std::uint32_t n = 0;
    std::int64_t sum = 0, squares = 0;  // of the logarithm of unit cents, in 1/1024 and 1/1024^2
  };
  struct Distinct {
    std::uint32_t claims = 0, with = 0;
  };
  using Spread = std::array<std::uint32_t, 21>;  // claims by their provider's share, in twentieths

  Table<Charges> charges_;
  Table<Distinct> distinct_;
  Table<Spread> payers_;
};

}  // namespace tideover::estimators
