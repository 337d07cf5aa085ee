// Claims and advances that may be one though their numbers differ (core/docs/contract.md#claims-that-may-be-the-same):
// by the number in another form, cut, or as the payer numbers the claim itself, and by charge and service date. It
// proposes and asks, and never matches: a reviewer decides.
#pragma once
#include <set>

#include "core/domain/reconciliation/match.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct AlikeAdvance {
  domain::SettlementId settlement;
  domain::MatchReasons reasons;
};

/// What one claim of a remittance may be about.
struct AlikeSearch {
  const domain::RemittanceDraft& remittance;  // whose payer counts
  const domain::RemittanceClaim& paid;
  /// Its number is that of a claim of ours which it fits, and which has no advance: charge and date alone say nothing
  /// then.
  bool is_of_known_claim = false;
  /// Settlements that other claims of the remittance name exactly: charge and date alone do not lead to these.
  const std::set<domain::SettlementId>& answered;
  /// The settlement that its number names, and that it is not about.
  std::optional<domain::SettlementId> except{};
};
/// Advances that `search` may be about, at most kMostAlike; those that fit in charge and date first.
std::vector<AlikeAdvance> alike_advances(const ports::Records& records, const domain::TenantId& tenant,
                                         const AlikeSearch& search);
inline constexpr std::size_t kMostAlike = 10;

/// Remittances that may have answered this claim already under another number: paid, denied or announced, and posted to
/// no advance. Oldest first, each once. `released_too`: also what a reviewer released to the provider. A claim without
/// any date is compared with the answers of the year before `today`.
std::vector<domain::RemittanceId> alike_answers(const ports::Records& records, const domain::TenantId& tenant,
                                                const domain::ClaimDraft& claim, domain::Date today, bool released_too);

/// In the reasons of a decision: the remittance because of which a reviewer has to decide.
inline constexpr std::string_view kMayBeAnsweredBy = "may_be_answered_by:";

/// Why the settlement cannot be funded: a remittance may have answered its claim, and no reviewer has seen that.
std::optional<domain::Error> refusal_of_alike(const ports::Records& records, const domain::TenantId& tenant,
                                              const domain::Settlement& settlement,
                                              const std::optional<ports::StoredClaim>& claim, domain::Date today);

}  // namespace tideover::usecases
