-- What a request leaves behind: its answer under the idempotency key, and its audit row.
CREATE TABLE IF NOT EXISTS answers (
  tenant {ascii:32} NOT NULL,
  scope {text:600} NOT NULL,
  fingerprint {ascii:64} NOT NULL,
  outcome {ascii:64} NOT NULL,
  body {text} NOT NULL,
  created_at {int} NOT NULL,
  expires_at {int} NOT NULL,
  PRIMARY KEY (tenant, scope)
) {table};

CREATE INDEX IF NOT EXISTS answers_by_expiry ON answers (expires_at);

CREATE TABLE IF NOT EXISTS audit_rows (
  tenant {ascii:32} NOT NULL,
  id {ascii:32} NOT NULL,
  client_id {ascii:32} NOT NULL,
  request_id {text} NOT NULL,
  operation {text} NOT NULL,
  object_id {text} NOT NULL,
  outcome {ascii:64} NOT NULL,
  at {int} NOT NULL,
  PRIMARY KEY (tenant, id)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};

-- sqlite: CREATE TRIGGER IF NOT EXISTS audit_rows_stay BEFORE UPDATE ON audit_rows BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- mysql: CREATE TRIGGER IF NOT EXISTS audit_rows_stay BEFORE UPDATE ON audit_rows FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the audit log is append-only';
-- sqlite: CREATE TRIGGER IF NOT EXISTS audit_rows_remain BEFORE DELETE ON audit_rows BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- mysql: CREATE TRIGGER IF NOT EXISTS audit_rows_remain BEFORE DELETE ON audit_rows FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the audit log is append-only';
