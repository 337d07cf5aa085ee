// Group commit: many callers, few durable transactions. Each caller brings a unit of work. A lane runs the waiting
// units in one transaction, and while it commits, the next batch gathers. There is no artificial delay.
//
// Invariant: a unit is reported `committed` only after the transaction with all of its writes is durable. A unit that
// is
// reported otherwise left nothing behind, except `commit_unknown`, where only the database can tell. A refusal, too, is
// reported only when everything that its unit could see is durable.
//
// Threads: thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/store/committer/commit_witness.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

enum class UnitVerdict {
  keep,
  discard  // a refusal: nothing of this unit may remain; free if it wrote nothing
};

/// Runs inside a transaction of the committer, possibly more than once, on a lane's thread. It writes only to the
/// session and assigns its own outputs (again in each run). It neither waits nor calls the committer.
using Unit = std::function<UnitVerdict(sql::Session&)>;

enum class Priority {
  interactive,  // a client waits for it
  background,   // housekeeping: at most one in a batch while interactive units wait
  bulk          // takes long: always a batch of its own; while clients are active, one per bulk_patience
};

/// A lane takes a bulk unit when no interactive unit came for this long, because the next one would wait for its end.
inline constexpr std::chrono::milliseconds kBulkPause{5};

enum class CommitOutcome { committed, discarded, refused_queue_full, refused_stopping, failed };

struct CommitReport {
  CommitOutcome outcome;
  std::optional<sql::SqlError::Kind> error;  // set when failed
  std::string message;                       // what failed, where, and the driver's code; no values

  bool committed() const { return outcome == CommitOutcome::committed; }
};

struct CommitterOptions {
  int lanes = 1;  // 1 on SQLite; 2–4 on MariaDB
  std::size_t max_batch_units = 256;
  std::chrono::milliseconds max_batch_time{20};  // units that are left then go into the next batch
  std::size_t queue_capacity = 8192;
  std::chrono::milliseconds bulk_patience{50};  // a bulk unit waits at most this long, however busy the lane is
  /// SQLite: after a failed write or fsync the kernel may treat pages as clean that never reached the disk, and a later
  /// commit would be acknowledged on top of them. So the lane stops after the first such error.
  bool disk_errors_are_final = false;
  /// Called on the lane's thread when the disk failed after a batch was answered, so that no report can carry the
  /// failure.
  std::function<void(const sql::SqlError&)> on_disk_failed = [](const sql::SqlError&) {};
  std::chrono::milliseconds reconnect_time{5000};  // how long a batch waits for a lost database before it fails
  /// Creates one per lane. Without it an unanswered COMMIT stays commit_unknown.
  std::function<std::unique_ptr<CommitWitness>()> new_witness = nullptr;
};

struct CommitterStats {
  std::uint64_t batches = 0;     // transactions committed
  std::uint64_t units = 0;       // units committed in them
  std::uint64_t replays = 0;     // batches run again with a savepoint per unit
  std::uint64_t retries = 0;     // runs repeated after a conflict or a lost connection
  std::uint64_t reconnects = 0;  // sessions opened to replace a lost one
};

class Committer {
 public:
  using SessionFactory = std::function<std::unique_ptr<sql::Session>()>;
  using Completion = std::function<void(CommitReport)>;

  /// Opens one session per lane, so that a wrong configuration fails here (SqlError). The factory must be thread-safe.
  Committer(SessionFactory open_session, const CommitterOptions& options);
  Committer(const Committer&) = delete;
  Committer& operator=(const Committer&) = delete;
  ~Committer();  // drains

  /// Blocks until the unit is durable, refused or failed. Never throws.
  CommitReport commit(Unit unit, Priority priority = Priority::interactive);

  /// `done` is called exactly once: on a lane's thread after the commit, or on this thread when the unit is refused. It
  /// must be quick and must not throw or call commit().
  void commit_async(Unit unit, Priority priority, Completion done);

  /// Refuses new units, finishes all accepted ones and stops the lanes. May be called again.
  void drain();

  CommitterStats stats() const;

 private:
  struct Lanes;
  std::unique_ptr<Lanes> lanes_;
};

}  // namespace tideover::store
