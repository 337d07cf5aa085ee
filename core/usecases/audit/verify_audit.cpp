#include "core/usecases/audit/verify_audit.hpp"

#include "core/usecases/audit/walk_chains.hpp"

namespace tideover::usecases {

domain::Result<Verification> VerifyAudit::operator()(const VerificationProgress& progress) const {
  Verification found;
  const auto walked = walk_chains(
      store_, checkpoints_, kAuditTable, [](const ports::Records& records) -> auto& { return records.audit(); }, found,
      progress, [](const std::string&, const ports::ChainLink&) {});
  if (!walked) return walked.error();
  return found;
}

}  // namespace tideover::usecases
