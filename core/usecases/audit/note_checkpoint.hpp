// Stores the heads of the hash chains outside the database: soon after many rows, otherwise periodically, and never
// when nothing was written.
//
// Threads: use from one thread at a time.
#pragma once
#include <chrono>
#include <cstdint>

#include "core/domain/basics/result.hpp"
#include "core/ports/checkpoints.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct CheckpointPace {
  std::chrono::milliseconds at_least_every{60'000};
  std::int64_t rows = 1000;
};

class NoteCheckpoint {
 public:
  NoteCheckpoint(ports::Store& store, ports::Checkpoints& checkpoints, const ports::Clock& clock,
                 const CheckpointPace& pace)
      : store_(store), checkpoints_(checkpoints), clock_(clock), pace_(pace) {}

  /// Writes a checkpoint when it is due. Call it every second.
  domain::Status when_due();
  /// Writes a checkpoint when there is anything new, or, after a restore, the new start of the chains.
  domain::Status now(ports::Checkpoint::Kind kind = ports::Checkpoint::Kind::passed);

 private:
  domain::Result<ports::Checkpoint> look() const;
  domain::Status note(const ports::Checkpoint& checkpoint);

  ports::Store& store_;
  ports::Checkpoints& checkpoints_;
  const ports::Clock& clock_;
  const CheckpointPace pace_;
  std::int64_t noted_rows_ = 0;
  domain::Timestamp noted_at_;
};

}  // namespace tideover::usecases
