-- What the recourse policy decided about an event, and the parts of residuals that are held in the reserve of a
-- practice. A row is written once; a row with `undoes` cancels an earlier one. Only release_on changes: it ends when the
-- held part is released.
CREATE TABLE IF NOT EXISTS recourse_entries (
  tenant {ascii:32} NOT NULL,
  id {ascii:32} NOT NULL,
  kind {ascii:16} NOT NULL,
  event {ascii:32} NOT NULL,
  settlement_id {ascii:32},
  record_id {ascii:32},
  remittance_id {ascii:32},
  allocation_number {int} NOT NULL,
  payer_id {text:255} NOT NULL,
  payee_npi {ascii:16} NOT NULL,
  cents {int} NOT NULL,
  usual_future_cents {int} NOT NULL,
  usual_reserve_cents {int} NOT NULL,
  usual_funder_cents {int} NOT NULL,
  advance_cents {int} NOT NULL,
  paid_out_cents {int} NOT NULL,
  owed_cents {int} NOT NULL,
  carried_cents {int} NOT NULL,
  in_reserve_cents {int} NOT NULL,
  days {int},
  future_cents {int} NOT NULL,
  reserve_cents {int} NOT NULL,
  funder_cents {int} NOT NULL,
  reasons {text} NOT NULL,
  problem {text} NOT NULL,
  moved_future_cents {int} NOT NULL,
  moved_reserve_cents {int} NOT NULL,
  moved_funder_cents {int} NOT NULL,
  held_cents {int} NOT NULL,
  relief_cents {int} NOT NULL,
  rule_id {ascii:64} NOT NULL,
  rule_rev {int} NOT NULL,
  rules_version {text:64} NOT NULL,
  rules_sha256 {ascii:64} NOT NULL,
  undoes {ascii:32},
  release_on {int},
  posted_at {int} NOT NULL,
  PRIMARY KEY (tenant, id)
) {table};

CREATE INDEX IF NOT EXISTS recourse_by_settlement ON recourse_entries (tenant, settlement_id);
CREATE INDEX IF NOT EXISTS recourse_by_remittance ON recourse_entries (tenant, remittance_id);
CREATE INDEX IF NOT EXISTS recourse_by_release ON recourse_entries (release_on);

-- The fee by days outstanding, the hold and the reserve of an advance, as the provider accepted them.
-- sqlite: ALTER TABLE settlements ADD COLUMN fee_steps {ascii:255} NOT NULL DEFAULT '';
-- mysql: ALTER TABLE settlements ADD COLUMN IF NOT EXISTS fee_steps {ascii:255} NOT NULL DEFAULT '';
-- sqlite: ALTER TABLE settlements ADD COLUMN fee_most_cents {int} NOT NULL DEFAULT 0;
-- mysql: ALTER TABLE settlements ADD COLUMN IF NOT EXISTS fee_most_cents {int} NOT NULL DEFAULT 0;
-- sqlite: ALTER TABLE settlements ADD COLUMN hold_days {int} NOT NULL DEFAULT 0;
-- mysql: ALTER TABLE settlements ADD COLUMN IF NOT EXISTS hold_days {int} NOT NULL DEFAULT 0;
-- sqlite: ALTER TABLE settlements ADD COLUMN reserve_bps {int} NOT NULL DEFAULT 0;
-- mysql: ALTER TABLE settlements ADD COLUMN IF NOT EXISTS reserve_bps {int} NOT NULL DEFAULT 0;
-- sqlite: ALTER TABLE settlements ADD COLUMN reserve_days {int} NOT NULL DEFAULT 0;
-- mysql: ALTER TABLE settlements ADD COLUMN IF NOT EXISTS reserve_days {int} NOT NULL DEFAULT 0;

-- The posted sums of each practice: `owed` and `carried`. Later postings change them, and `reserve`.
-- sqlite: INSERT OR IGNORE INTO portfolio (tenant, measure, subject, cents)
-- mysql: INSERT IGNORE INTO portfolio (tenant, measure, subject, cents)
SELECT tenant, measure, payee, -SUM(cents) FROM (
  SELECT e.tenant, CASE WHEN e.account = 'carried_balances' THEN 'carried' ELSE 'owed' END AS measure, e.cents,
    CASE WHEN e.payee_npi = '' AND e.payer_id = '' THEN COALESCE(s.billing_npi, '') ELSE e.payee_npi END AS payee
  FROM ledger_entries e JOIN ledger_transactions t ON t.tenant = e.tenant AND t.id = e.transaction_id
  LEFT JOIN settlements s ON s.tenant = t.tenant AND s.id = t.settlement_id
  WHERE t.phase = 'posted' AND (e.account = 'carried_balances' OR e.account LIKE 'provider_payable:%')) booked
WHERE payee <> '' GROUP BY tenant, measure, payee;
