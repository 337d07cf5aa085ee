#include "core/domain/funding/settlement.hpp"

#include <array>

#include "core/domain/basics/enum_names.hpp"

namespace tideover::domain {
namespace {

using S = SettlementStatus;
using E = SettlementEvent;

struct Move {
  S from;
  bool awaiting_reviewer;  // applies only while decision = manual_review has not been decided
  E event;
  S to;
};

constexpr std::array<Move, 10> kMoves{{
    {S::pending_confirmation, true, E::reviewer_approves, S::approved},
    {S::pending_confirmation, true, E::reviewer_declines, S::declined},
    {S::pending_confirmation, true, E::cancel, S::canceled},
    {S::pending_confirmation, true, E::expire, S::canceled},
    {S::pending_confirmation, false, E::confirm, S::funded},
    {S::pending_confirmation, false, E::cancel, S::canceled},
    {S::pending_confirmation, false, E::expire, S::canceled},
    {S::approved, false, E::confirm, S::funded},
    {S::approved, false, E::cancel, S::canceled},
    {S::approved, false, E::expire, S::canceled},
}};

constexpr std::array<std::string_view, kSettlementStatusCount> kStatusNames{"pending_confirmation", "approved",
                                                                            "declined", "canceled", "funded"};
constexpr std::array<std::string_view, kSettlementEventCount> kEventNames{
    "reviewer_approves", "reviewer_declines", "confirm", "cancel", "expire", "funding_returned"};
constexpr std::array<std::string_view, 9> kFundingNames{
    "none", "scheduled", "pending_submission", "submitted", "settled", "rejected", "returned", "unknown", "canceled"};

}  // namespace

std::string_view name_of(SettlementStatus status) {
  return kStatusNames[static_cast<std::size_t>(status)];
}
std::string_view name_of(SettlementEvent event) {
  return kEventNames[static_cast<std::size_t>(event)];
}
std::string_view name_of(FundingStatus status) {
  return kFundingNames[static_cast<std::size_t>(status)];
}

std::optional<SettlementStatus> settlement_status_named(std::string_view name) {
  return enum_named<SettlementStatus>(kStatusNames, name);
}

std::vector<std::string> settlement_status_names() {
  return {kStatusNames.begin(), kStatusNames.end()};
}

std::optional<FundingStatus> funding_status_named(std::string_view name) {
  return enum_named<FundingStatus>(kFundingNames, name);
}

std::vector<std::string> funding_status_names() {
  return {kFundingNames.begin(), kFundingNames.end()};
}

std::optional<SettlementStatus> next_status(SettlementStatus from, Decision decision, SettlementEvent event) {
  // A funded settlement ends only by a return: the payer's payments do not change its status.
  if (from == S::funded) return event == E::funding_returned ? std::optional(S::canceled) : std::nullopt;
  // While a manual review is pending, only a reviewer may move the settlement toward funding.
  const bool awaiting = from == S::pending_confirmation && decision == Decision::manual_review;
  for (const auto& move : kMoves)
    if (move.from == from && move.event == event && move.awaiting_reviewer == awaiting) return move.to;
  return std::nullopt;
}

std::vector<std::string> allowed_events(SettlementStatus from, Decision decision) {
  std::vector<std::string> names;
  // Clients may request these two only. The others come from reviewers, the clock and the rail.
  for (const auto event : {E::confirm, E::cancel})
    if (next_status(from, decision, event)) names.emplace_back(name_of(event));
  return names;
}

SettlementStatus initial_status(Decision decision) {
  // Terms for a manual review are pending, too: next_status() lets only a reviewer move them toward funding.
  return decision == Decision::declined ? S::declined : S::pending_confirmation;
}

BilledClaim billed_of(const ClaimDraft& claim) {
  const auto& institutional = claim.details.institutional;
  return {claim.submitted_amount, claim.date_of_service, claim.service_lines, claim.billing_npi,
          institutional ? institutional->statement_through : std::nullopt};
}

ClaimDraft as_advanced(ClaimDraft claim, const Settlement& settlement) {
  // Payments answer the claim as it was billed, so later corrections of the claim must not affect the match.
  claim.payer_id = settlement.payer_id;
  claim.submitted_amount = settlement.billed.charge;
  claim.date_of_service = settlement.billed.date_of_service;
  claim.service_lines = settlement.billed.service_lines;
  claim.billing_npi = settlement.billed.billing_npi;
  auto& institutional = claim.details.institutional;
  if (!institutional && settlement.billed.statement_through) institutional.emplace();
  if (institutional) institutional->statement_through = settlement.billed.statement_through;
  return claim;
}

bool is_at_rest(const Settlement& settlement) {
  // Any other funding status means that money may be on its way. Such a settlement must not end.
  return settlement.funding_status == FundingStatus::none || settlement.funding_status == FundingStatus::rejected;
}

bool has_lapsed(const Settlement& settlement, Timestamp now) {
  return settlement.expires_at <= now && is_at_rest(settlement) &&
         next_status(settlement.status, settlement.decision, SettlementEvent::expire);
}

}  // namespace tideover::domain
