-- The day on which the money of a transaction moved (effective_on), and that day if its month was closed (occurred_on):
-- days since 1970. Rows from before this migration have neither, and keep their hashes. effective_day is the day for all
-- rows: an old row took effect on the day of its posting, in UTC.
-- sqlite: ALTER TABLE ledger_transactions ADD COLUMN effective_on {int};
-- mysql: ALTER TABLE ledger_transactions ADD COLUMN IF NOT EXISTS effective_on {int};
-- sqlite: ALTER TABLE ledger_transactions ADD COLUMN occurred_on {int};
-- mysql: ALTER TABLE ledger_transactions ADD COLUMN IF NOT EXISTS occurred_on {int};
-- sqlite: ALTER TABLE ledger_transactions ADD COLUMN effective_day {int} GENERATED ALWAYS AS (COALESCE(effective_on, at / 86400000)) VIRTUAL;
-- mysql: ALTER TABLE ledger_transactions ADD COLUMN IF NOT EXISTS effective_day {int} GENERATED ALWAYS AS (COALESCE(effective_on, at DIV 86400000)) STORED;
CREATE INDEX IF NOT EXISTS ledger_transactions_by_effective_day ON ledger_transactions (tenant, effective_day, id);

-- The last closed day. It stands in the row that each transaction with money raises first (matching_guard): a close and
-- a posting never overlap, on any node.
-- sqlite: ALTER TABLE tenants ADD COLUMN closed_through {int};
-- mysql: ALTER TABLE tenants ADD COLUMN IF NOT EXISTS closed_through {int};

-- Closed months. after_day is the last day that was closed before, and a day before all others for the first month;
-- follows is the closed month before it, empty for the first.
CREATE TABLE IF NOT EXISTS ledger_periods (
  tenant {ascii:32} NOT NULL,
  period {ascii:16} NOT NULL,
  follows {ascii:16} NOT NULL,
  after_day {int} NOT NULL,
  last_day {int} NOT NULL,
  closed_at {int} NOT NULL,
  closed_by {ascii:32} NOT NULL,
  balances {int} NOT NULL,
  balances_sha256 {ascii:64} NOT NULL,
  PRIMARY KEY (tenant, period)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};

-- Closing balances that are not zero. Accounts that are owed to practices have one for each practice and payer.
CREATE TABLE IF NOT EXISTS ledger_closings (
  tenant {ascii:32} NOT NULL,
  period {ascii:16} NOT NULL,
  account {ascii:64} NOT NULL,
  payee_npi {ascii:16} NOT NULL,
  payer_id {text:255} NOT NULL,
  posted_cents {int} NOT NULL,
  pending_cents {int} NOT NULL,
  PRIMARY KEY (tenant, period, account, payee_npi, payer_id)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};
