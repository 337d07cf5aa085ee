-- What a request leaves behind: its answer under the idempotency key, and its audit row.
-- Keys are chosen by clients, thus random: the only index by key holds a 16-byte digest of tenant, operation and key.
-- Rows are numbered as they come, which is the order in which they are pruned.
CREATE TABLE IF NOT EXISTS answers (
-- sqlite: number INTEGER PRIMARY KEY,
-- mysql: number BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  scope_digest {bytes:16} NOT NULL,
  tenant {ascii:32} NOT NULL,
  fingerprint {ascii:64} NOT NULL,
  outcome {ascii:64} NOT NULL,
  body {blob} NOT NULL,
  expires_at {int} NOT NULL,
  UNIQUE (scope_digest)
) {table};

-- Keyed by the place in its hash chain, so that appends stay at the end of the tree and no index is kept beside it. An
-- empty tenant is the service itself; times counts the equal events that a row stands for.
CREATE TABLE IF NOT EXISTS audit_rows (
  chain {ascii:80} NOT NULL,
  position {int} NOT NULL,
  hash {bytes:32} NOT NULL,
  tenant {ascii:32} NOT NULL,
  id {ascii:32} NOT NULL,
  client_id {ascii:32} NOT NULL,
  request_id {text} NOT NULL,
  operation {text} NOT NULL,
  object_id {text} NOT NULL,
  outcome {ascii:64} NOT NULL,
  times {int} NOT NULL,
  at {int} NOT NULL,
  PRIMARY KEY (chain, position)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};

-- sqlite: CREATE TRIGGER IF NOT EXISTS audit_rows_stay BEFORE UPDATE ON audit_rows BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- mysql: CREATE TRIGGER IF NOT EXISTS audit_rows_stay BEFORE UPDATE ON audit_rows FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the audit log is append-only';
-- sqlite: CREATE TRIGGER IF NOT EXISTS audit_rows_remain BEFORE DELETE ON audit_rows BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- mysql: CREATE TRIGGER IF NOT EXISTS audit_rows_remain BEFORE DELETE ON audit_rows FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the audit log is append-only';
