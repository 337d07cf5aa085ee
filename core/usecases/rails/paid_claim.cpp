#include "core/usecases/rails/paid_claim.hpp"

namespace tideover::usecases {
namespace {

std::string about(const std::string& claim) {
  return "paid claim " + claim + ' ';
}

}  // namespace

std::string claim_digest(const ports::KeyedDigest& digests, const domain::TenantId& tenant,
                         const std::string& claim_identifier) {
  // A label of its own: the digest must not equal that of another use of the same key.
  return digests.digest("journal-claim-v1", tenant.text() + '\n' + claim_identifier);
}

std::string finding_of(const ports::JournalledSend& sent) {
  return about(sent.claim.empty() ? "-" : sent.claim) + sent.key;
}

std::optional<domain::Error> refuse_paid_claim(const ports::Records& records, const domain::TenantId& tenant,
                                               const domain::ClaimId& claim, const std::string& digest,
                                               const std::optional<domain::SettlementId>& own) {
  // The journal has only digests of claim numbers, so the task is found by the digest in its finding.
  const auto task = records.tasks().unexpected_payment(tenant, claim, about(digest), own ? own->text() : "");
  if (!task) return std::nullopt;
  return domain::Error::of(
             domain::ErrorCode::claim_already_advanced,
             "A rail paid, or may have paid, an advance on this claim that the database does not have. Resolve "
             "the payment_unexpected task, then send the request again.")
      .with("task_id", task->text());
}

std::optional<domain::Error> refuse_disputed_claim(const ports::Records& records, const domain::TenantId& tenant,
                                                   const domain::ClaimId& claim) {
  const auto task = records.tasks().open_on_claim(tenant, claim, domain::kRailDisagreement);
  if (!task) return std::nullopt;
  return domain::Error::of(domain::ErrorCode::invalid_state,
                           "A rail and this service differ about a payment on this claim. Resolve the "
                           "rail_disagreement task, then send the request again.")
      .with("task_id", task->text());
}

}  // namespace tideover::usecases
