// What a payer takes back and does not withhold at once stands open between two of its payments (PLB codes FB and WO):
// one remittance carries it on, a later one takes it.
#pragma once
#include <vector>

#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::domain {

/// Forward balance and overpayment recovery. Negative puts off what the payer takes back, positive takes it.
bool is_carried(const ProviderAdjustment& plb);

/// What a remittance carries on to later payments of its payer (positive: what it takes back and does not withhold, of
/// which also BPR03 = D tells) or takes of what earlier ones carried (negative).
Money carries_of(const RemittanceDraft& remittance);

/// What the payer pays beside claims and balances - interest, capitation, a refund that it acknowledges - and the
/// provider gets; negative: what it withholds.
Money beside_claims_of(const RemittanceDraft& remittance);

/// Whether the remittance says which balances it withholds (PLB03-2).
bool names_balances(const RemittanceDraft& remittance);

/// What the remittance withholds of the balances of its payer, by what its references say: one is the trace number of a
/// notice that carried, the reference that this put the balance off under, or the number of a claim that it takes back,
/// or a word of it with a digit is. No more than was carried on under that name and is left of it. Without a reference
/// it may be any balance. `moved`: the other notices that carried something on or took of it, in order, with the claims
/// that they take back; one that does both gives what it took a new name.
Money withheld_of(const RemittanceDraft& remittance, const std::vector<Remittance>& moved);

}  // namespace tideover::domain
