// Features of the sandbox only (core/docs/contract.md#sandbox): magic payer ids, each with one effect, and an implied
// payout account.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/domain/funding/terms.hpp"

namespace tideover::domain {

/// The advance of a forced approval when the policy proposes none (core/docs/contract.md#settlements).
inline constexpr int kForcedAdvanceBps = 8000;
inline constexpr int kForcedFeeBps = 200;

/// The account of a tenant without one; in the sandbox only.
inline constexpr std::string_view kImpliedPayoutAccount = "tok_ok";

struct SandboxTrigger {
  std::optional<Decision> decision;      // TEST-APPROVE, TEST-DECLINE, TEST-REVIEW
  std::optional<std::string> deny_with;  // TEST-CARC-<n>, <n> of 1 to 4 letters and digits
  bool slow = false;                     // TEST-SLOW
};

/// A provider with this NPI is not enrolled with any payer; in the sandbox only.
inline constexpr std::string_view kNotEnrolledNpi = "1000000012";
inline constexpr std::string_view kNotEnrolledCode = "B7";
inline bool is_not_enrolled(std::string_view npi) {
  return npi == kNotEnrolledNpi;
}

/// nullopt for a payer id without an effect. Case-insensitive.
std::optional<SandboxTrigger> sandbox_trigger(std::string_view payer_id);

}  // namespace tideover::domain
