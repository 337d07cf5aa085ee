-- Settlements. live_claim_id repeats claim_id while the settlement is neither declined nor canceled and is NULL after:
-- the unique key then admits one live settlement per claim, on both engines.
CREATE TABLE IF NOT EXISTS settlements (
  tenant {ascii:32} NOT NULL,
  id {ascii:32} NOT NULL,
  claim_id {ascii:32} NOT NULL,
  live_claim_id {ascii:32},
  claim_identifier {blob} NOT NULL,
  payer_id {text:255} NOT NULL,
  authorization_id {ascii:32} NOT NULL,
  review_id {ascii:32} NOT NULL,
  decision {ascii:16} NOT NULL,
  decision_reasons {text} NOT NULL,
  status {ascii:24} NOT NULL,
  cancel_reason {text} NOT NULL,
  advance_bps {int} NOT NULL,
  advance_cents {int} NOT NULL,
  fee_bps {int} NOT NULL,
  fee_cents {int} NOT NULL,
  expected_cents {int} NOT NULL,
  expected_payment_date {int} NOT NULL,
  rail {text} NOT NULL,
  desired_date {int},
  effective_date {int} NOT NULL,
  adjusted {int} NOT NULL,
  expected_settlement_at {int},
  funding_status {ascii:24} NOT NULL,
  payout_status {ascii:24} NOT NULL,
  payout_account_token {blob} NOT NULL,
  rules_version {text} NOT NULL,
  rules_sha256 {ascii:64} NOT NULL,
  funded_cents {int},
  funded_at {int},
  version {int} NOT NULL,
  created_at {int} NOT NULL,
  expires_at {int} NOT NULL,
  confirm_key {text} NOT NULL,
  receivable_open {int} NOT NULL DEFAULT 0,
  billed_cents {int} NOT NULL,
  billed_date {int},
  billed_lines {blob} NOT NULL,
  billing_npi {text} NOT NULL,
  residual_due_cents {int} NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, live_claim_id)
) {table};

CREATE INDEX IF NOT EXISTS settlements_by_claim ON settlements (tenant, claim_id, id);
CREATE INDEX IF NOT EXISTS settlements_by_payment ON settlements (tenant, payer_id, expected_cents, expected_payment_date);
CREATE INDEX IF NOT EXISTS settlements_by_age ON settlements (receivable_open, expected_payment_date, id);
CREATE INDEX IF NOT EXISTS settlements_by_receivable ON settlements (tenant, receivable_open, payer_id);
CREATE INDEX IF NOT EXISTS settlements_by_residual ON settlements (residual_due_cents);
CREATE INDEX IF NOT EXISTS settlements_by_expiry ON settlements (status, expires_at);

-- Attempts to pay a settlement's advance, once, and its residual, in as many payouts as its payer's payments make. The rail's key is unique over all tenants: a rail knows no tenants. So is the queue of
-- attempts whose outcome has to be looked for.
CREATE TABLE IF NOT EXISTS disbursement_attempts (
  tenant {ascii:32} NOT NULL,
  settlement_id {ascii:32} NOT NULL,
  purpose {ascii:16} NOT NULL,
  number {int} NOT NULL,
  id {ascii:32} NOT NULL,
  state {ascii:16} NOT NULL,
  rail {text} NOT NULL,
  rail_key {ascii:128} NOT NULL,
  cents {int} NOT NULL,
  effective_date {int} NOT NULL,
  request_key {text} NOT NULL,
  sent_by {text:64} NOT NULL,
  epoch {int} NOT NULL,
  rail_reference {text} NOT NULL,
  reason_code {text} NOT NULL,
  reason {text} NOT NULL,
  pending_entry_id {ascii:32} NOT NULL,
  resolve_tries {int} NOT NULL,
  next_resolve_at {int} NOT NULL,
  created_at {int} NOT NULL,
  updated_at {int} NOT NULL,
  PRIMARY KEY (tenant, settlement_id, purpose, number),
  UNIQUE (rail_key)
) {table};

CREATE INDEX IF NOT EXISTS disbursement_attempts_due ON disbursement_attempts (state, next_resolve_at);

-- The one node that sends over a rail which does not recognise a key it has seen.
CREATE TABLE IF NOT EXISTS rail_senders (
  rail {text:64} NOT NULL,
  node {text} NOT NULL,
  epoch {int} NOT NULL,
  since {int} NOT NULL,
  PRIMARY KEY (rail)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};
