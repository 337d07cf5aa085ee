-- The ledger: written once, never changed. The triggers say so to everyone who can reach the database; on MariaDB take
-- UPDATE and DELETE on these tables away from the service's user as well. Each transaction is a link of a hash chain: hash
-- covers the hash before it, the row and its entries.
CREATE TABLE IF NOT EXISTS ledger_transactions (
  tenant {ascii:32} NOT NULL,
  id {ascii:32} NOT NULL,
  phase {ascii:16} NOT NULL,
  resolves {ascii:32},
  cause_kind {ascii:32} NOT NULL,
  cause_id {ascii:64} NOT NULL,
  settlement_id {ascii:32},
  at {int} NOT NULL,
  chain {ascii:80} NOT NULL,
  position {int} NOT NULL,
  hash {bytes:32} NOT NULL,
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, resolves),
  UNIQUE (chain, position)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};

CREATE INDEX IF NOT EXISTS ledger_transactions_by_settlement ON ledger_transactions (tenant, settlement_id, id);

CREATE TABLE IF NOT EXISTS ledger_entries (
  tenant {ascii:32} NOT NULL,
  transaction_id {ascii:32} NOT NULL,
  position {int} NOT NULL,
  account {ascii:64} NOT NULL,
  cents {int} NOT NULL,
  PRIMARY KEY (tenant, transaction_id, position)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};

CREATE INDEX IF NOT EXISTS ledger_entries_by_account ON ledger_entries (tenant, account, transaction_id);

-- sqlite: CREATE TRIGGER IF NOT EXISTS ledger_transactions_stay BEFORE UPDATE ON ledger_transactions BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
-- mysql: CREATE TRIGGER IF NOT EXISTS ledger_transactions_stay BEFORE UPDATE ON ledger_transactions FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the ledger is append-only';
-- sqlite: CREATE TRIGGER IF NOT EXISTS ledger_transactions_remain BEFORE DELETE ON ledger_transactions BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
-- mysql: CREATE TRIGGER IF NOT EXISTS ledger_transactions_remain BEFORE DELETE ON ledger_transactions FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the ledger is append-only';
-- sqlite: CREATE TRIGGER IF NOT EXISTS ledger_entries_stay BEFORE UPDATE ON ledger_entries BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
-- mysql: CREATE TRIGGER IF NOT EXISTS ledger_entries_stay BEFORE UPDATE ON ledger_entries FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the ledger is append-only';
-- sqlite: CREATE TRIGGER IF NOT EXISTS ledger_entries_remain BEFORE DELETE ON ledger_entries BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
-- mysql: CREATE TRIGGER IF NOT EXISTS ledger_entries_remain BEFORE DELETE ON ledger_entries FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the ledger is append-only';
