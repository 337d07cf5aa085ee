// A claim that the rail journal says was advanced, by a settlement that the database does not know: after a restore of
// an older backup. No second advance is paid on it while a task asks an operator about the payment.
#pragma once
#include <optional>
#include <string>

#include "core/domain/basics/result.hpp"
#include "core/ports/keyed_digest.hpp"
#include "core/ports/rail_journal.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// Names a claim in the rail journal; the same for the life of the key ring, whichever key of it is in use.
std::string claim_digest(const ports::KeyedDigest& digests, const domain::TenantId& tenant,
                         const std::string& claim_identifier);

/// domain::Task::finding of the task about this payment.
std::string finding_of(const ports::JournalledSend& sent);

/// Error claim_already_advanced where an open `payment_unexpected` task is about a payment on this claim.
std::optional<domain::Error> refuse_paid_claim(const ports::Records& records, const domain::TenantId& tenant,
                                               const domain::ClaimId& claim, const std::string& digest);

}  // namespace tideover::usecases
