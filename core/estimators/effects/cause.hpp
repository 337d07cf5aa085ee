// The causes of denials, estimated separately: who bills and how (office), missing enrolment with the payer, the
// patient's coverage, the time of submission, missing documents, a procedure. They are competing risks, each with its
// own probability. An 835 has the code of the one that applied first, which says which it was.
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
