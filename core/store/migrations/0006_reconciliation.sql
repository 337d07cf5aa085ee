-- Money that came in (deposits), what payers say about it (remittances), and what it did to settlements.
-- An absent external_id is NULL, so that only given ones are unique.
CREATE TABLE IF NOT EXISTS deposits (
  tenant {ascii:32} NOT NULL,
  id {ascii:32} NOT NULL,
  payer_id {text:255} NOT NULL,
  cents {int} NOT NULL,
  received_date {int} NOT NULL,
  effective_date {int},
  trace_number {text:255} NOT NULL,
  external_id {text:255},
  addenda {blob} NOT NULL,
  originator {text} NOT NULL,
  status {ascii:24} NOT NULL,
  matched_cents {int} NOT NULL,
  created_at {int} NOT NULL,
  payer_said {blob} NOT NULL,
  channel {ascii:32} NOT NULL,
  released_cents {int} NOT NULL,
  pooled_into {ascii:32},
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, external_id)
) {table};

CREATE INDEX IF NOT EXISTS deposits_by_payer ON deposits (tenant, payer_id, status, cents, received_date);
CREATE INDEX IF NOT EXISTS deposits_by_trace ON deposits (tenant, trace_number, cents, id);
CREATE INDEX IF NOT EXISTS deposits_by_pool ON deposits (tenant, pooled_into, id);
CREATE INDEX IF NOT EXISTS deposits_by_status ON deposits (tenant, status, id);
CREATE INDEX IF NOT EXISTS deposits_waiting ON deposits (status, created_at, id);

CREATE TABLE IF NOT EXISTS remittances (
  tenant {ascii:32} NOT NULL,
  id {ascii:32} NOT NULL,
  payer_id {text:255} NOT NULL,
  payer_name {text} NOT NULL,
  trace_number {text:255} NOT NULL,
  originator_id {text} NOT NULL,
  payment_date {int},
  payment_cents {int} NOT NULL,
  payment_method {text} NOT NULL,
  provider_adjustments {blob} NOT NULL,
  warnings {text} NOT NULL,
  content_sha256 {ascii:64} NOT NULL,
  notice_sha256 {ascii:64} NOT NULL,
  deposit_id {ascii:32},
  carries_cents {int} NOT NULL,
  carried_cents {int} NOT NULL,
  paid_to_provider_cents {int} NOT NULL,
  withheld_cents {int} NOT NULL,
  claims_total_cents {int} NOT NULL,
  created_at {int} NOT NULL,
  status {ascii:16} NOT NULL,
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, content_sha256)
) {table};

CREATE INDEX IF NOT EXISTS remittances_by_notice ON remittances (tenant, notice_sha256, id);
CREATE INDEX IF NOT EXISTS remittances_by_deposit ON remittances (tenant, deposit_id, payment_cents);
CREATE INDEX IF NOT EXISTS remittances_by_payer ON remittances (tenant, payer_id, deposit_id, payment_cents, payment_date);
CREATE INDEX IF NOT EXISTS remittances_by_carried ON remittances (tenant, payer_id, carries_cents);
CREATE INDEX IF NOT EXISTS remittances_by_trace ON remittances (tenant, trace_number, payment_cents);
CREATE INDEX IF NOT EXISTS remittances_by_amount ON remittances (tenant, payment_cents, payment_date);
CREATE INDEX IF NOT EXISTS remittances_by_status ON remittances (tenant, status, id);
CREATE INDEX IF NOT EXISTS remittances_waiting ON remittances (status, created_at, id);

CREATE TABLE IF NOT EXISTS remittance_claims (
  tenant {ascii:32} NOT NULL,
  remittance_id {ascii:32} NOT NULL,
  position {int} NOT NULL,
  claim_identifier {blob} NOT NULL,
  status {text} NOT NULL,
  charge_cents {int} NOT NULL,
  paid_cents {int} NOT NULL,
  patient_responsibility_cents {int},
  payer_claim_number {blob} NOT NULL,
  date_of_service {int},
  received_date {int},
  adjustments {text} NOT NULL,
  service_lines {blob} NOT NULL,
  state {ascii:16} NOT NULL,
  settlement_id {ascii:32},
  record_id {ascii:32},
  claim_lookup {bytes:16} NOT NULL,
  PRIMARY KEY (tenant, remittance_id, position)
) {table};

CREATE INDEX IF NOT EXISTS remittance_claims_by_number ON remittance_claims (claim_lookup, remittance_id);
CREATE INDEX IF NOT EXISTS remittance_claims_by_settlement ON remittance_claims (tenant, settlement_id);

CREATE TABLE IF NOT EXISTS reconciliation_records (
  tenant {ascii:32} NOT NULL,
  settlement_id {ascii:32} NOT NULL,
  number {int} NOT NULL,
  id {ascii:32} NOT NULL,
  payer_payment_cents {int} NOT NULL,
  charge_cents {int} NOT NULL,
  recovered_cents {int} NOT NULL,
  fee_cents {int} NOT NULL,
  residual_cents {int} NOT NULL,
  absorbed_cents {int} NOT NULL,
  principal_loss_cents {int} NOT NULL,
  residual_loss_cents {int} NOT NULL,
  final_status {ascii:16} NOT NULL,
  matched_by {ascii:32} NOT NULL,
  deposit_id {ascii:32},
  remittance_id {ascii:32},
  trace_number {text} NOT NULL,
  posted_at {int} NOT NULL,
  PRIMARY KEY (tenant, settlement_id, number)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};

CREATE INDEX IF NOT EXISTS reconciliation_records_by_deposit ON reconciliation_records (tenant, deposit_id, id);

-- What the match ladder thought of each candidate: subject_id is a deposit or a remittance, candidate_id what was held against
-- it (NULL: a step that found nobody), task_id the task in which a
-- person said so.
CREATE TABLE IF NOT EXISTS match_candidates (
  tenant {ascii:32} NOT NULL,
  subject_id {ascii:32} NOT NULL,
  id {ascii:32} NOT NULL,
  claim_position {int},
  step {ascii:24} NOT NULL,
  candidate_id {ascii:32},
  verdict {ascii:16} NOT NULL,
  reasons {text} NOT NULL,
  at {int} NOT NULL,
  task_id {ascii:32},
  PRIMARY KEY (tenant, subject_id, id)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};

CREATE INDEX IF NOT EXISTS match_candidates_by_candidate ON match_candidates (tenant, candidate_id, id);
CREATE INDEX IF NOT EXISTS match_candidates_by_task ON match_candidates (tenant, task_id, id);
