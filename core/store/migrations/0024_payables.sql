-- What practices are owed (core/domain/funding/payable.hpp): one row for each entry of provider_payable with a known
-- practice, and for each amount that a payout carried forward. payout_id: the payout that covers it; empty: open.
CREATE TABLE IF NOT EXISTS payables (
  tenant {ascii:32} NOT NULL,
  transaction_id {ascii:32} NOT NULL,
  position {int} NOT NULL,
  payee_npi {ascii:16} NOT NULL,
  payer_id {text:255} NOT NULL,
  settlement_id {ascii:32},
  cents {int} NOT NULL,
  at {int} NOT NULL,
  payout_id {ascii:32} NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, transaction_id, position)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};

CREATE INDEX IF NOT EXISTS payables_by_payout ON payables (payout_id, tenant, payee_npi, at);
CREATE INDEX IF NOT EXISTS payables_by_settlement ON payables (tenant, settlement_id);
CREATE INDEX IF NOT EXISTS payables_by_payee ON payables (tenant, payee_npi);

-- Entries from before this migration: posted ones, and payouts on their way.
-- sqlite: INSERT OR IGNORE INTO payables (tenant, transaction_id, position, payee_npi, payer_id, settlement_id, cents, at)
-- mysql: INSERT IGNORE INTO payables (tenant, transaction_id, position, payee_npi, payer_id, settlement_id, cents, at)
SELECT e.tenant, e.transaction_id, e.position,
  CASE WHEN e.payee_npi = '' AND e.payer_id = '' THEN COALESCE(s.billing_npi, '') ELSE e.payee_npi END,
  CASE WHEN e.payee_npi = '' AND e.payer_id = '' THEN COALESCE(s.payer_id, '') ELSE e.payer_id END,
  t.settlement_id, -e.cents, t.at
FROM ledger_entries e JOIN ledger_transactions t ON t.tenant = e.tenant AND t.id = e.transaction_id
LEFT JOIN settlements s ON s.tenant = t.tenant AND s.id = t.settlement_id
LEFT JOIN ledger_transactions r ON r.tenant = t.tenant AND r.resolves = t.id
WHERE e.account LIKE 'provider_payable:%' AND (t.phase = 'posted' OR (t.phase = 'pending' AND r.id IS NULL))
  AND (e.payee_npi <> '' OR (e.payer_id = '' AND COALESCE(s.billing_npi, '') <> ''));

-- The account of a practice; the token is sealed. payout_status: of its last payout.
CREATE TABLE IF NOT EXISTS payee_accounts (
  tenant {ascii:32} NOT NULL,
  payee_npi {ascii:16} NOT NULL,
  payout_account_token {blob} NOT NULL,
  rail {text:64} NOT NULL,
  payout_status {ascii:24} NOT NULL,
  updated_at {int},
  PRIMARY KEY (tenant, payee_npi)
) {table};

CREATE INDEX IF NOT EXISTS disbursement_attempts_by_purpose ON disbursement_attempts (tenant, purpose, id);
