// Whether the books are what was written: the hash chains, each transaction's balance, and the invariants between
// ledger, settlements, attempts, deposits and reconciliations (core/docs/reliability.md#invariants). Reads only; may
// run while the service serves; needs memory for one page, however large the books are.
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

/// The rail journal of one node, which the payments of this node are held against (I16).
struct OwnWitness {
  /// The journal as it is now: it is written while the database is read.
  std::function<domain::Result<std::shared_ptr<const ports::RailJournal>>()> look;
  const ports::Clock& clock;
  std::string node;  // as it stands in its attempts
};

class VerifyLedger {
 public:
  /// Without a witness the journal is left out.
  VerifyLedger(ports::Store& store, const ports::Checkpoints& checkpoints,
               std::optional<OwnWitness> witness = std::nullopt)
      : store_(store), checkpoints_(checkpoints), witness_(std::move(witness)) {}
  /// An Error when it could not be carried through; what it found otherwise.
  domain::Result<Verification> operator()(const VerificationProgress& progress = [](std::string_view) {
    return true;
  }) const;

 private:
  domain::Status check_rules(Verification& found, const VerificationProgress& progress) const;
  domain::Status check_witness(Verification& found, const VerificationProgress& progress) const;

  ports::Store& store_;
  const ports::Checkpoints& checkpoints_;
  const std::optional<OwnWitness> witness_;
};

}  // namespace tideover::usecases
