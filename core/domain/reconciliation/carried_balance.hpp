// Forward balances: what a payer takes back and does not withhold at once (PLB codes FB and WO). One remittance carries
// the balance forward, and a later one recovers it.
//
// Threads: pure functions.
// Units: cents. Positive amounts are carried forward, negative amounts are recovered.
#pragma once
#include <set>
#include <string>

#include "core/domain/reconciliation/allocation.hpp"
#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::domain {

/// Whether it is a forward balance (FB) or an overpayment recovery (WO). A negative amount carries a balance forward, a
/// positive one recovers it.
bool is_carried(const ProviderAdjustment& plb);

/// The balance that a remittance carries forward (positive: taken back and not withheld; also given by BPR03 = D), or
/// that it recovers (negative).
Money carries_of(const RemittanceDraft& remittance);

/// The names by which later remittances may refer to any balance that `carrier` carries forward: its trace number and
/// the numbers of the claims that it takes back. The reference (PLB03-2) of a balance is a name of that balance alone.
/// Each as a whole, and its words that have a digit.
std::set<std::string> names_of_carrier(const Remittance& carrier);

/// The names in a reference: the whole text, and its words that have a digit.
std::set<std::string> names_in(const std::string& reference);

}  // namespace tideover::domain
