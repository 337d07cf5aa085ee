// The meaning of an answer for learning (core/domain/reconciliation/answer.hpp). A denial is not simply CLP02 = 4.
// Contractual reductions, the patient's share and sequestration are no denials. An answer that is unusable for
// learning, or without a decision, is `ignored`.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::estimators {

/// The cause, coarse enough for payers to agree.
enum class CarcGroup : std::uint8_t {
  format,
  eligibility,
  duplicate,
  timely,
  coding,
  authorization,
  necessity,
  coverage,
  coordination,
  provider,
  documents,
  other
};
inline constexpr int kCarcGroups = 12;
/// `other` for codes in no list.
CarcGroup group_of_carc(std::string_view carc);
/// Whether an adjustment with this code is a refusal to pay: no contractual reduction, patient share, tax or incentive.
bool is_denial_carc(std::string_view carc);

/// Two characters and a number in 16 bits, e.g. "B7"; 0 for none.
std::uint16_t packed_carc(std::string_view carc);
std::string unpacked_carc(std::uint16_t carc);

enum class Outcome { paid, zero, denied_partial, denied_full, reversal, ignored };

struct LineLabel {
  std::string code;
  std::string modifiers;
  std::int64_t units_milli = 1000;
  domain::Money charge;
  domain::Money allowed;  // as reported, otherwise paid plus the reductions of the payment alone; zero when denied
  domain::Money paid;
  bool denied = false;
  std::string carc;  // of the denial
};

struct Label {
  Outcome outcome = Outcome::ignored;
  int denied_share_bps = 0;  // of the charge, 0 to 10 000
  std::string carc;          // of the largest denied amount; empty without one
  CarcGroup group = CarcGroup::other;
  domain::Money charge, allowed, paid;
  std::vector<LineLabel> lines;  // a remittance without lines has one, without a code

  /// The target of `denial_predicted`: all of it, or at least half of the charge.
  bool denied() const {
    return outcome == Outcome::denied_full || (outcome == Outcome::denied_partial && denied_share_bps >= 5000);
  }
};

Label label_of(const domain::RemittanceClaim& claim);

}  // namespace tideover::estimators
