// Whether the books are what was written: the hash chains, each transaction's balance, and the invariants between ledger,
// settlements, attempts, deposits and reconciliations (reliability page, section 3.6). Reads only; may run while the service
// serves; needs memory for one page, however large the books are.
#pragma once
#include "core/domain/result.hpp"
#include "core/ports/checkpoints.hpp"
#include "core/ports/store.hpp"
#include "core/usecases/verification.hpp"

namespace tideover::usecases {

class VerifyLedger {
 public:
  VerifyLedger(ports::Store& store, const ports::Checkpoints& checkpoints) : store_(store), checkpoints_(checkpoints) {}
  /// An Error when it could not be carried through; what it found otherwise.
  domain::Result<Verification> operator()(const VerificationProgress& progress = [](std::string_view) { return true; }) const;

 private:
  domain::Status check_rules(Verification& found, const VerificationProgress& progress) const;

  ports::Store& store_;
  const ports::Checkpoints& checkpoints_;
};

}  // namespace tideover::usecases
