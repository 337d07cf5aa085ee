// What a payer's answer to one claim means, read once: posting, matching and learning ask here and compare neither
// signs nor CLP02 themselves.
//
// | CLP02              | charge | paid | means                                                                     |
// |--------------------|--------|------|---------------------------------------------------------------------------|
// | 1 to 3, 19 to 21   | >= 0   | >= 0 | processed                                                                 |
// | 4                  | >= 0   | >= 0 | denied                                                                    |
// | 22                 | any    | <= 0 | taken_back; the sign of the charge tells nothing                          |
// | all of these but 22| <= 0   | < 0  | taken_back: a reversal that does not say so                               |
// | 23                 | >= 0   | >= 0 | forwarded to another payer                                                |
// | 25                 | any    | any  | predetermined: nothing was billed                                         |
// | any other          | any    | any  | undecided: received, pended, suspended                                    |
//
// Everything else contradicts itself: the answer is posted only by a reviewer's decision, and nothing is learned from
// it.
#pragma once
#include <optional>
#include <string_view>

#include "core/domain/claims/claim_status.hpp"
#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::domain {

enum class AnswerKind { processed, denied, taken_back, forwarded, predetermined, undecided };

struct ClaimAnswer {
  AnswerKind kind = AnswerKind::undecided;
  Money charge;                      // that it decides on, or takes its decision back on (CLP03): never below zero
  Money paid;                        // CLP04: below zero where money is taken back
  std::string_view contradiction{};  // what cannot be so; empty where all of it fits
};
ClaimAnswer answer_of(const RemittanceClaim& claim);

/// Where the answer brings the claim; nullopt: nowhere.
std::optional<ClaimStatus> claim_status_of(const ClaimAnswer& answer);

/// Why an answer that decides something is not usable for learning, as a clause: "a service line is paid below zero".
/// Empty where it is, or where it decides nothing.
std::string_view not_learnable(const RemittanceClaim& claim);

}  // namespace tideover::domain
