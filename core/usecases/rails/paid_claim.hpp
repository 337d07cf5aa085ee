// A claim with a payment that the database does not count: one that is in the rail journal only, after a restore of an
// older backup, or one about which a rail's statement differs. While an open task asks an operator about that payment,
// the claim gets no second advance.
//
// Threads: reads inside the caller's transaction.
#pragma once
#include <optional>
#include <string>

#include "core/domain/basics/result.hpp"
#include "core/ports/keyed_digest.hpp"
#include "core/ports/rail_journal.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// The digest that names a claim in the rail journal. It stays the same for the life of the key ring, whichever of its
/// keys is in use.
std::string claim_digest(const ports::KeyedDigest& digests, const domain::TenantId& tenant,
                         const std::string& claim_identifier);

/// domain::Task::finding of the task about this payment.
std::string finding_of(const ports::JournalledSend& sent);

/// Error claim_already_advanced when an open `payment_unexpected` task is about a payment on this claim. A task about
/// `own`, the settlement that is being confirmed, does not count: it is paid again under the same key, so the rail is
/// asked about the payment first.
std::optional<domain::Error> refuse_paid_claim(const ports::Records& records, const domain::TenantId& tenant,
                                               const domain::ClaimId& claim, const std::string& digest,
                                               const std::optional<domain::SettlementId>& own = std::nullopt);

/// Error invalid_state while a `rail_disagreement` task about one of the claim's settlements is open: the statement may
/// show a payment whose attempt counts as rejected.
std::optional<domain::Error> refuse_disputed_claim(const ports::Records& records, const domain::TenantId& tenant,
                                                   const domain::ClaimId& claim);

}  // namespace tideover::usecases
