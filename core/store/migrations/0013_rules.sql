-- Bundles of rules. What once decided stays: reviews name it.
CREATE TABLE IF NOT EXISTS rule_bundles (
  sha256 {ascii:64} NOT NULL PRIMARY KEY,
  version {text:64} NOT NULL,
  state {ascii:16} NOT NULL,
  reason {text} NOT NULL,
  filed_by {text:128} NOT NULL,
  approved_by {text:128} NOT NULL,
  filed_at {int} NOT NULL,
  changed_at {int} NOT NULL,
  files {blob} NOT NULL
) {table};
CREATE INDEX IF NOT EXISTS rule_bundles_by_time ON rule_bundles (filed_at, sha256);

-- The one that decides, on every node.
CREATE TABLE IF NOT EXISTS live_rules (
  id {int} NOT NULL PRIMARY KEY,
  sha256 {ascii:64} NOT NULL,
  previous_sha256 {ascii:64} NOT NULL,
  generation {int} NOT NULL,
  is_pinned {int} NOT NULL,
  effective_at {int} NOT NULL
) {table};

-- Who did what about them.
CREATE TABLE IF NOT EXISTS rule_acts (
  id {ascii:32} NOT NULL PRIMARY KEY,
  at {int} NOT NULL,
  act {ascii:16} NOT NULL,
  sha256 {ascii:64} NOT NULL,
  actor {text:128} NOT NULL,
  reason {text} NOT NULL
) {table};
