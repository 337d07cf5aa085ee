// Why claims are refused, told apart: by who bills and how (office), by who is not enrolled with the payer, by the
// patient's coverage, by when it was sent, by what documents are wanted, by a procedure. They are risks beside each
// other, each with a probability of its own; an 835 names the code of the one that struck first, and that says which it
// was.
#pragma once
#include <array>
#include <cstdint>

#include "core/estimators/basics/key.hpp"
#include "core/estimators/basics/label.hpp"

namespace tideover::estimators {

enum class Cause { office, enrolment, patient, timing, documents, procedure };
inline constexpr int kCauses = 6;

/// A denial's.
struct Code {
  std::uint16_t carc = 0;  // packed
  CarcGroup group = CarcGroup::other;
  friend bool operator==(const Code&, const Code&) = default;
};

/// What payers answer when a cause struck: starts from what the codes mean, and learns how they are used.
class Reasons {
 public:
  Reasons();

  /// P(a code of this group | the cause struck).
  double share(Cause cause, CarcGroup group) const;
  /// `amount` of a denial (below 0: taken back) was for this cause.
  void learn(Cause cause, CarcGroup group, double amount);
  void put_into(Digest& digest) const;

 private:
  std::array<std::array<double, kCarcGroups>, kCauses> seen_{};
  std::array<double, kCauses> all_{};
};

}  // namespace tideover::estimators
