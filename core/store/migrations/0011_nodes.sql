-- The processes that share this database, by the name that each was given. A row changes with its own node's heartbeat only.
CREATE TABLE IF NOT EXISTS nodes (
  name {text:64} NOT NULL PRIMARY KEY,
  process {text:255} NOT NULL,
  version {text:32} NOT NULL,
  epoch {int} NOT NULL,
  started_at {int} NOT NULL,
  lease_end {int} NOT NULL
) {table};

-- Work that one node does for all: who has it, until when, and when it is due again.
CREATE TABLE IF NOT EXISTS shared_work (
  work {ascii:64} NOT NULL PRIMARY KEY,
  node {text:64} NOT NULL,
  lease_end {int} NOT NULL,
  next_at {int} NOT NULL
) {table};

-- One row per writing lane of a process: by it a lane finds out whether a batch counts whose COMMIT was not answered.
-- MariaDB only; an embedded database answers or fails with its process.
CREATE TABLE IF NOT EXISTS commit_marks (
  lane {ascii:32} NOT NULL PRIMARY KEY,
  batch {int} NOT NULL,
  questions {int} NOT NULL,
  marked_at_s {int} NOT NULL
) {table};
