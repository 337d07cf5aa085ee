// Finds claims and advances that may be the same although their numbers differ
// (core/docs/contract.md#claims-that-may-be-the-same): the number in another form, a truncated number, the payer's own
// number, or charge and service date. The search only proposes. A reviewer decides.
//
// Threads: each call reads inside the caller's transaction.
#pragma once
#include <set>

#include "core/domain/reconciliation/match.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct AlikeAdvance {
  domain::SettlementId settlement;
  domain::MatchReasons reasons;
};

/// Parameters of the search for one claim of a remittance.
struct AlikeSearch {
  const domain::RemittanceDraft& remittance;  // gives the payer
  const domain::RemittanceClaim& paid;
  /// The number is that of a known claim that fits, has no advance and is for no visit of another known claim. The
  /// search by charge and date is skipped then.
  bool is_of_known_claim = false;
  /// Settlements that other claims of the remittance name exactly. The search by charge and date skips them.
  const std::set<domain::SettlementId>& answered;
  /// The settlement that the number names, when the claim does not fit it.
  std::optional<domain::SettlementId> except{};
};
/// The advances that `search` may be about, at most kMostAlike. Those with equal charge and date come first.
std::vector<AlikeAdvance> alike_advances(const ports::Records& records, const domain::TenantId& tenant,
                                         const AlikeSearch& search);
inline constexpr std::size_t kMostAlike = 10;

/// Whether another known claim bills the same visit: patient, service date, payer, provider, charge and lines agree.
/// Two claims without a service date are two visits.
bool has_visit_of_another(const ports::Records& records, const domain::TenantId& tenant, const domain::Claim& claim);

/// Remittances that may have answered this claim already under another number: paid, denied or announced, and posted to
/// no advance. Oldest first, each once. `released_too`: also what a reviewer released to the provider. A claim without
/// any date is compared with the answers of the year before `today`.
std::vector<domain::RemittanceId> alike_answers(const ports::Records& records, const domain::TenantId& tenant,
                                                const domain::ClaimDraft& claim, domain::Date today, bool released_too);

/// Prefix in the reasons of a decision: the remittance that makes a manual review necessary.
inline constexpr std::string_view kMayBeAnsweredBy = "may_be_answered_by:";

/// The reason why the settlement cannot be funded: a remittance may have answered its claim, and no reviewer has
/// decided on it.
std::optional<domain::Error> refusal_of_alike(const ports::Records& records, const domain::TenantId& tenant,
                                              const domain::Settlement& settlement,
                                              const std::optional<ports::StoredClaim>& claim, domain::Date today);

}  // namespace tideover::usecases
