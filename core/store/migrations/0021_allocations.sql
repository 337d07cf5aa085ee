-- The account of each line of a remittance. A row is written once; a row with `undoes` cancels an earlier one. Rows that use a
-- forward balance, and the row that cancels it, name it in balance_remittance and balance_number.
CREATE TABLE IF NOT EXISTS allocations (
  tenant {ascii:32} NOT NULL,
  remittance_id {ascii:32} NOT NULL,
  number {int} NOT NULL,
  line {ascii:24} NOT NULL,
  line_index {int} NOT NULL,
  account {ascii:16} NOT NULL,
  settlement_id {ascii:32},
  payer_id {text:255} NOT NULL,
  payee_npi {ascii:16} NOT NULL,
  cents {int} NOT NULL,
  reason {ascii:32} NOT NULL,
  balance_remittance {ascii:32},
  balance_number {int},
  record_id {ascii:32},
  undoes {int},
  task_id {ascii:32},
  posted_at {int} NOT NULL,
  PRIMARY KEY (tenant, remittance_id, number)
) {table};

CREATE INDEX IF NOT EXISTS allocations_by_payer ON allocations (tenant, account, payer_id, reason, remittance_id);
CREATE INDEX IF NOT EXISTS allocations_by_balance ON allocations (tenant, balance_remittance, balance_number);
CREATE INDEX IF NOT EXISTS allocations_by_payee ON allocations (tenant, account, payee_npi, payer_id);
CREATE INDEX IF NOT EXISTS allocations_by_settlement ON allocations (tenant, settlement_id);

-- Rows of the remittances from before this migration: one for each posted claim, then the posted sums of the remittance
-- (line 'payment': its lines are not known), then the forward balances that it used, oldest first.
-- sqlite: INSERT OR IGNORE INTO allocations
-- mysql: INSERT IGNORE INTO allocations
SELECT c.tenant, c.remittance_id, ROW_NUMBER() OVER (PARTITION BY c.tenant, c.remittance_id ORDER BY c.position),
  'claim', c.position, 'advance', c.settlement_id, r.payer_id, COALESCE(s.billing_npi, ''), c.paid_cents,
  CASE WHEN p.remittance_id = c.remittance_id THEN 'advanced_claim' ELSE 'confirmed' END,
  NULL, NULL, c.record_id, NULL, NULL, r.created_at
FROM remittance_claims c JOIN remittances r ON r.tenant = c.tenant AND r.id = c.remittance_id
LEFT JOIN settlements s ON s.tenant = c.tenant AND s.id = c.settlement_id
LEFT JOIN reconciliation_records p ON p.tenant = c.tenant AND p.settlement_id = c.settlement_id AND p.id = c.record_id
WHERE c.state = 'posted' AND c.settlement_id IS NOT NULL;

-- sqlite: INSERT OR IGNORE INTO allocations
-- mysql: INSERT IGNORE INTO allocations
SELECT r.tenant, r.id, 1 + (SELECT COUNT(*) FROM remittance_claims c WHERE c.tenant = r.tenant AND c.remittance_id = r.id
    AND c.state = 'posted' AND c.settlement_id IS NOT NULL),
  'payment', 0, 'carried', NULL, r.payer_id, '', r.carried_cents, 'carried_forward', NULL, NULL, NULL, NULL, NULL, r.created_at
FROM remittances r WHERE r.carried_cents > 0;

-- sqlite: INSERT OR IGNORE INTO allocations
-- mysql: INSERT IGNORE INTO allocations
SELECT r.tenant, r.id, 1 + (SELECT COUNT(*) FROM remittance_claims c WHERE c.tenant = r.tenant AND c.remittance_id = r.id
    AND c.state = 'posted' AND c.settlement_id IS NOT NULL) + CASE WHEN r.carried_cents > 0 THEN 1 ELSE 0 END,
  'payment', 0, 'payable', NULL, r.payer_id, '', r.paid_to_provider_cents, 'beside_claims', NULL, NULL, NULL, NULL, NULL,
  r.created_at
FROM remittances r WHERE r.paid_to_provider_cents <> 0;

-- sqlite: INSERT OR IGNORE INTO allocations
-- mysql: INSERT IGNORE INTO allocations
SELECT r.tenant, r.id, 1 + (SELECT COUNT(*) FROM remittance_claims c WHERE c.tenant = r.tenant AND c.remittance_id = r.id
    AND c.state = 'posted' AND c.settlement_id IS NOT NULL) + CASE WHEN r.carried_cents > 0 THEN 1 ELSE 0 END
    + CASE WHEN r.paid_to_provider_cents <> 0 THEN 1 ELSE 0 END,
  'shortfall', 0, 'advance', NULL, r.payer_id, '', -r.withheld_cents, 'accepted_short', NULL, NULL, NULL, NULL, NULL,
  r.created_at
FROM remittances r WHERE r.withheld_cents <> 0;

-- sqlite: INSERT OR IGNORE INTO allocations
-- mysql: INSERT IGNORE INTO allocations
SELECT u.tenant, u.id, u.rows_before + ROW_NUMBER() OVER (PARTITION BY u.tenant, u.id ORDER BY f.id),
  'payment', 0, 'carried', NULL, u.payer_id, '',
  CASE WHEN f.upto - f.cents > u.upto - u.cents THEN f.upto - f.cents ELSE u.upto - u.cents END
    - CASE WHEN f.upto < u.upto THEN f.upto ELSE u.upto END,
  'balance_recovered', f.id, f.number, NULL, NULL, NULL, u.created_at
FROM (SELECT r.tenant, r.payer_id, r.id, r.created_at, -r.carried_cents AS cents,
    SUM(-r.carried_cents) OVER (PARTITION BY r.tenant, r.payer_id ORDER BY r.id) AS upto,
    (SELECT COUNT(*) FROM remittance_claims c WHERE c.tenant = r.tenant AND c.remittance_id = r.id AND c.state = 'posted'
      AND c.settlement_id IS NOT NULL) + CASE WHEN r.paid_to_provider_cents <> 0 THEN 1 ELSE 0 END
      + CASE WHEN r.withheld_cents <> 0 THEN 1 ELSE 0 END AS rows_before
  FROM remittances r WHERE r.carried_cents < 0) u
JOIN (SELECT r.tenant, r.payer_id, r.id, r.carried_cents AS cents,
    SUM(r.carried_cents) OVER (PARTITION BY r.tenant, r.payer_id ORDER BY r.id) AS upto,
    1 + (SELECT COUNT(*) FROM remittance_claims c WHERE c.tenant = r.tenant AND c.remittance_id = r.id
      AND c.state = 'posted' AND c.settlement_id IS NOT NULL) AS number
  FROM remittances r WHERE r.carried_cents > 0) f
ON f.tenant = u.tenant AND f.payer_id = u.payer_id AND f.upto > u.upto - u.cents AND f.upto - f.cents < u.upto;
