// Whether the audit trail is what was written. Reads only; may run while the service serves.
#pragma once
#include "core/domain/basics/result.hpp"
#include "core/ports/checkpoints.hpp"
#include "core/ports/store.hpp"
#include "core/usecases/audit/verification.hpp"

namespace tideover::usecases {

class VerifyAudit {
 public:
  VerifyAudit(ports::Store& store, const ports::Checkpoints& checkpoints) : store_(store), checkpoints_(checkpoints) {}
  /// An Error when it could not be carried through; what it found otherwise.
  domain::Result<Verification> operator()(const VerificationProgress& progress = [](std::string_view) {
    return true;
  }) const;

 private:
  ports::Store& store_;
  const ports::Checkpoints& checkpoints_;
};

}  // namespace tideover::usecases
