// A settlement: the advance on one claim from its terms to its funding (openapi.yaml: Settlement status;
// core/docs/contract.md#settlements). Only the transition table in settlement.cpp says which moves exist.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/sensitive.hpp"
#include "core/domain/claims/claim.hpp"
#include "core/domain/funding/terms.hpp"

namespace tideover::domain {

enum class SettlementStatus { pending_confirmation, approved, declined, canceled, funded };
inline constexpr int kSettlementStatusCount = 5;

enum class SettlementEvent {
  reviewer_approves,
  reviewer_declines,
  confirm,  // the rail accepted the payment
  cancel,
  expire,
  funding_returned,
};
inline constexpr int kSettlementEventCount = 6;

std::string_view name_of(SettlementStatus status);
std::optional<SettlementStatus> settlement_status_named(std::string_view name);
std::vector<std::string> settlement_status_names();
std::string_view name_of(SettlementEvent event);

/// The status after `event`; nullopt when the move does not exist. `decision` matters while a manual review is pending.
std::optional<SettlementStatus> next_status(SettlementStatus from, Decision decision, SettlementEvent event);
/// The names of the events that a client may request in this status.
std::vector<std::string> allowed_events(SettlementStatus from, Decision decision);

/// The status after creation.
SettlementStatus initial_status(Decision decision);

/// The status of the funding, separate from the settlement's (core/docs/contract.md#settlements, `funding_status`).
enum class FundingStatus {
  none,
  scheduled,
  pending_submission,
  submitted,
  settled,
  rejected,
  returned,
  unknown,
  canceled
};
std::string_view name_of(FundingStatus status);
std::optional<FundingStatus> funding_status_named(std::string_view name);
std::vector<std::string> funding_status_names();

struct FundingPlan {
  std::string rail;  // RTP | SAME_DAY | FUTURE_DATE
  std::optional<Date> desired_date;
  Date effective_date;
  bool adjusted = false;  // effective differs from desired because of a cut-off or a holiday
  std::optional<Timestamp> expected_settlement_at;
};

/// What was billed when the terms were made. Payments are compared with it, whatever later reviews change in the claim.
struct BilledClaim {
  Money charge;
  std::optional<Date> date_of_service;
  std::vector<ServiceLine> service_lines;
  std::string billing_npi;
  std::optional<Date> statement_through{};  // of an institutional claim
};

struct Settlement {
  SettlementId id;
  ClaimId claim_id;
  std::string claim_identifier;
  std::string payer_id;
  AuthorizationId authorization_id;
  ReviewId review_id;
  Decision decision = Decision::manual_review;
  std::vector<std::string> decision_reasons;
  SettlementStatus status = SettlementStatus::pending_confirmation;
  std::string cancel_reason;  // requested | expired | superseded | funding_returned
  Terms terms;
  Money expected_reimbursement;
  Date expected_payment_date;
  FundingPlan funding;
  std::vector<std::string>
      fallback{};  // rails to try after a definite reject, in order; a rail leaves with its attempt
  FundingStatus funding_status = FundingStatus::none;
  FundingStatus payout_status = FundingStatus::none;  // of the last payout of its residual
  Sensitive<std::string> payout_account_token;
  RulesStamp rules;
  std::optional<Money> funded_amount;
  std::optional<Timestamp> funded_at;
  int version = 1;  // guard row: every money transaction raises it
  Timestamp created_at;
  Timestamp expires_at;
  BilledClaim billed{};
};

BilledClaim billed_of(const ClaimDraft& claim);
/// The claim as it was when the terms were made.
ClaimDraft as_advanced(ClaimDraft claim, const Settlement& settlement);

/// Neither declined nor canceled: the claim can have no other one.
inline bool is_live(const Settlement& settlement) {
  return settlement.status != SettlementStatus::declined && settlement.status != SettlementStatus::canceled;
}
/// Whether no payment is or may be on its way: nothing was sent, or the rail refused it for good.
bool is_at_rest(const Settlement& settlement);
/// Whether only a reviewer can let it be confirmed.
inline bool waits_for_review(const Settlement& settlement) {
  return settlement.status == SettlementStatus::pending_confirmation && settlement.decision == Decision::manual_review;
}
/// Whether the terms expired without a confirm.
bool has_lapsed(const Settlement& settlement, Timestamp now);

}  // namespace tideover::domain
