#include "core/usecases/audit/note_checkpoint.hpp"

#include "core/usecases/audit/walk_chains.hpp"

namespace tideover::usecases {
namespace {

std::int64_t rows_of(const ports::Checkpoint& checkpoint) {
  std::int64_t rows = 0;
  for (const auto& [table, heads] : checkpoint.heads)
    for (const auto& head : heads) rows += head.position;
  return rows;
}

}  // namespace

domain::Status NoteCheckpoint::when_due() {
  const auto checkpoint = look();
  if (!checkpoint) return checkpoint.error();
  const std::int64_t fresh = rows_of(*checkpoint) - noted_rows_;
  const auto waited_ms = checkpoint->at.ms() - noted_at_.ms();
  // A clock that was set back must not stop the checkpoints.
  const bool long_ago = waited_ms >= pace_.at_least_every.count() || waited_ms < 0;
  if (fresh >= pace_.rows || (fresh != 0 && long_ago)) return note(*checkpoint);
  return {};
}

domain::Status NoteCheckpoint::now(ports::Checkpoint::Kind kind) {
  auto checkpoint = look();
  if (!checkpoint) return checkpoint.error();
  checkpoint->kind = kind;
  if (kind == ports::Checkpoint::Kind::passed && rows_of(*checkpoint) == noted_rows_) return {};
  return note(*checkpoint);
}

domain::Result<ports::Checkpoint> NoteCheckpoint::look() const {
  const auto now = clock_.now();
  return fetch(store_, [&](const ports::Records& records) {
    ports::Checkpoint checkpoint;
    checkpoint.at = now;
    checkpoint.heads[std::string(kLedgerTable)] = records.ledger().heads();
    checkpoint.heads[std::string(kAuditTable)] = records.audit().heads();
    return checkpoint;
  });
}

domain::Status NoteCheckpoint::note(const ports::Checkpoint& checkpoint) {
  if (auto noted = checkpoints_.append(checkpoint); !noted) return noted;
  noted_rows_ = rows_of(checkpoint);
  noted_at_ = checkpoint.at;
  return {};
}

}  // namespace tideover::usecases
