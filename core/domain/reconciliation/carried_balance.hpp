// Forward balances: what a payer takes back and does not withhold at once (PLB codes FB and WO). One remittance carries
// the balance forward, and a later one recovers it.
//
// Threads: pure functions.
// Units: cents. Positive amounts are carried forward, negative amounts are recovered.
#pragma once
#include <vector>

#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::domain {

/// Whether it is a forward balance (FB) or an overpayment recovery (WO). A negative amount carries a balance forward, a
/// positive one recovers it.
bool is_carried(const ProviderAdjustment& plb);

/// The balance that a remittance carries forward (positive: taken back and not withheld; also given by BPR03 = D), or
/// that it recovers (negative).
Money carries_of(const RemittanceDraft& remittance);

/// What the payer pays beside claims and forward balances (interest, capitation, an acknowledged refund). It is
/// credited to the provider. Negative: withheld.
Money beside_claims_of(const RemittanceDraft& remittance);

/// Whether the remittance names the balances that it recovers (PLB03-2).
bool names_balances(const RemittanceDraft& remittance);

/// How much of its payer's forward balances the remittance recovers, according to its references. A reference is the
/// trace number of a remittance that carried a balance forward, the reference of that balance, or the number of a claim
/// that it takes back, or a word of one of these that has a digit. The result is at most what is left of the named
/// balances. Without a reference, any balance counts. `moved`: the other remittances that carried or recovered a
/// balance, in order, with the claims that they take back. One that does both renames what it recovered.
Money withheld_of(const RemittanceDraft& remittance, const std::vector<Remittance>& moved);

}  // namespace tideover::domain
