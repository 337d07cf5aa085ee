#include "core/usecases/funding/paid_claim.hpp"

namespace tideover::usecases {
namespace {

std::string about(const std::string& claim) {
  return "paid claim " + claim + ' ';
}

}  // namespace

std::string claim_digest(const ports::KeyedDigest& digests, const domain::TenantId& tenant,
                         const std::string& claim_identifier) {
  return digests.digest("journal-claim-v1", tenant.text() + '\n' + claim_identifier);
}

std::string finding_of(const ports::JournalledSend& sent) {
  return about(sent.claim.empty() ? "-" : sent.claim) + sent.key;
}

std::optional<domain::Error> refuse_paid_claim(const ports::Records& records, const domain::TenantId& tenant,
                                               const domain::ClaimId& claim, const std::string& digest) {
  const auto task = records.tasks().unexpected_payment(tenant, claim, about(digest));
  if (!task) return std::nullopt;
  return domain::Error::of(domain::ErrorCode::claim_already_advanced,
                           "A rail paid, or may have paid, an advance on this claim that the books do not know. The "
                           "task payment_unexpected tells which; when it is resolved, the claim may be advanced.")
      .with("task_id", task->text());
}

}  // namespace tideover::usecases
