// Verifies the ledger: the hash chains, the balance of each transaction, and the invariants between ledger,
// settlements, attempts, deposits and reconciliations (core/docs/reliability.md#invariants). Reads only, and may run
// while the service runs. Memory: one page, independent of the size of the ledger.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/domain/basics/result.hpp"
#include "core/ports/checkpoints.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/rail_journal.hpp"
#include "core/ports/store.hpp"
#include "core/usecases/audit/verification.hpp"

namespace tideover::usecases {

/// The rail journal of one node, compared with the payments of this node (I16).
struct OwnWitness {
  /// Reads the current journal. The service may write it while the database is read.
  std::function<domain::Result<std::shared_ptr<const ports::RailJournal>>()> look;
  const ports::Clock& clock;
  std::string node;  // as in its attempts
};

class VerifyLedger {
 public:
  /// Without a witness the journal is not compared.
  VerifyLedger(ports::Store& store, const ports::Checkpoints& checkpoints,
               std::optional<OwnWitness> witness = std::nullopt)
      : store_(store), checkpoints_(checkpoints), witness_(std::move(witness)) {}
  /// The faults that were found. Error when the verification could not finish.
  domain::Result<Verification> operator()(const VerificationProgress& progress = [](std::string_view) {
    return true;
  }) const;

 private:
  domain::Status check_rules(Verification& found, const VerificationProgress& progress) const;
  domain::Status check_closings(Verification& found, const VerificationProgress& progress) const;
  domain::Status check_witness(Verification& found, const VerificationProgress& progress) const;

  ports::Store& store_;
  const ports::Checkpoints& checkpoints_;
  const std::optional<OwnWitness> witness_;
};

}  // namespace tideover::usecases
