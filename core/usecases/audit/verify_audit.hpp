// Verifies the audit trail against its hash chains and checkpoints. Reads only, and may run beside the service.
#pragma once
#include "core/domain/basics/result.hpp"
#include "core/ports/checkpoints.hpp"
#include "core/ports/store.hpp"
#include "core/usecases/audit/verification.hpp"

namespace tideover::usecases {

class VerifyAudit {
 public:
  VerifyAudit(ports::Store& store, const ports::Checkpoints& checkpoints) : store_(store), checkpoints_(checkpoints) {}
  /// The faults that were found. Error when the verification could not finish.
  domain::Result<Verification> operator()(const VerificationProgress& progress = [](std::string_view) {
    return true;
  }) const;

 private:
  ports::Store& store_;
  const ports::Checkpoints& checkpoints_;
};

}  // namespace tideover::usecases
