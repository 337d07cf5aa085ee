// Which advances the number of a paid claim may mean, and what contradicts each (core/docs/contract.md#matching): the
// same number, the number in another form or cut by the payer, or the payer's own number of an earlier answer.
//
// Threads: each call reads inside the caller's transaction.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/domain/reconciliation/match.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// An advance whose number agrees with the paid claim.
struct NumberedAdvance {
  domain::Settlement settlement;
  domain::ClaimDraft claim;      // as it was advanced
  domain::MatchReasons reasons;  // what contradicts; empty: it fits
  bool is_exact = false;         // the same bytes
  bool is_by_payers_number = false;
};

/// differences() and the practice: the NPI of the claim, else of the payee, is that of another practice with advances.
/// An NPI of no practice (a billing platform, a rendering provider) contradicts nothing.
domain::MatchReasons contradictions(const ports::Records& records, const domain::TenantId& tenant,
                                    const domain::RemittanceDraft& remittance, const domain::RemittanceClaim& paid,
                                    const domain::ClaimDraft& claim);

/// The advances with the number of `paid`. The payer's number is used only when no advance fits by the claim number.
std::vector<NumberedAdvance> numbered_advances(const ports::Records& records, const domain::TenantId& tenant,
                                               const domain::RemittanceDraft& remittance,
                                               const domain::RemittanceClaim& paid);

/// Those that fit. An equal charge proves more than a part of the charge: parts count only when no charge is equal.
std::vector<const NumberedAdvance*> fitting(const std::vector<NumberedAdvance>& advances, domain::Money charge);

/// The payers of the claims of a remittance whose own payer is not known.
struct ClaimsPayers {
  std::vector<std::string> payers;  // of the certain claims, without duplicates
  bool are_all_certain = false;     // each claim leads to exactly one known claim, and none to a secondary payment
};
ClaimsPayers payers_of_claims(const ports::Records& records, const domain::TenantId& tenant,
                              const domain::RemittanceDraft& remittance);

}  // namespace tideover::usecases
