// The meaning of a payer's answer to one claim. Posting, matching and learning all use it, and none of them compares
// signs or CLP02 codes itself.
//
// | CLP02              | charge | paid | meaning                                                                   |
// |--------------------|--------|------|---------------------------------------------------------------------------|
// | 1 to 3, 19 to 21   | >= 0   | >= 0 | processed                                                                 |
// | 1 to 3, 19 to 21   | > 0    | 0    | denied, when kRefusals take the whole charge                              |
// | 4                  | >= 0   | >= 0 | denied                                                                    |
// | 22                 | any    | <= 0 | taken_back; the sign of the charge has no meaning                         |
// | all of these but 22| <= 0   | < 0  | taken_back: a reversal without its code                                   |
// | 23                 | >= 0   | >= 0 | forwarded to another payer                                                |
// | 25                 | any    | any  | predetermined: nothing was billed                                         |
// | any other          | any    | any  | undecided: received, pended, suspended                                    |
//
// Any other combination contradicts itself: only a reviewer can post the answer, and nothing is learned from it.
//
// Threads: pure functions.
#pragma once
#include <array>
#include <optional>
#include <string_view>

#include "core/domain/claims/claim_status.hpp"
#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::domain {

enum class AnswerKind { processed, denied, taken_back, forwarded, predetermined, undecided };

struct ClaimAnswer {
  AnswerKind kind = AnswerKind::undecided;
  Money charge;                      // decided or reversed (CLP03); never below zero
  Money paid;                        // CLP04; below zero when money is taken back
  std::string_view contradiction{};  // the contradiction; empty when there is none
  bool is_repeat_refused = false;    // nothing is paid because an earlier answer decided on the claim (CARC 18)
};

/// The reasons (CAS01, CARC) that refuse a whole claim: with one of them, a payment of nothing is a denial. A
/// deductible or a contractual reduction that leaves nothing to pay is a decision like any other.
struct Refusal {
  std::string_view group, code;
};
inline constexpr std::array<Refusal, 5> kRefusals{
    {{"CO", "29"}, {"PI", "197"}, {"CO", "197"}, {"OA", "18"}, {"CO", "31"}}};

ClaimAnswer answer_of(const RemittanceClaim& claim);

/// The status that the answer moves the claim to; nullopt: none.
std::optional<ClaimStatus> claim_status_of(const ClaimAnswer& answer);

/// The reason why an answer with a decision is unusable for learning, as a clause: "a service line is paid below zero".
/// Empty when it is usable, or has no decision.
std::string_view not_learnable(const RemittanceClaim& claim);

}  // namespace tideover::domain
