-- Statements of bank accounts: one per account and day. account: bac_ and the keyed digest of the account number, which
-- is not stored; content: digest of all that the bank states; version: raised by each replacement.
CREATE TABLE IF NOT EXISTS bank_statements (
  tenant {ascii:32} NOT NULL,
  id {ascii:32} NOT NULL,
  account {ascii:40} NOT NULL,
  account_ending {text:16} NOT NULL,
  statement_date {int} NOT NULL,
  format {ascii:64} NOT NULL,
  opening_cents {int},
  closing_cents {int},
  credit_sum_cents {int},
  debit_sum_cents {int},
  credit_count {int},
  debit_count {int},
  content {ascii:40} NOT NULL,
  version {int} NOT NULL,
  stored_at {int} NOT NULL,
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, account, statement_date)
) {table};

-- Movements of a statement. details: references and text, encrypted; origin_id: the deposit that the line reported;
-- deposit_id, transfer_id: the money that it settles; finding: why it settles none.
CREATE TABLE IF NOT EXISTS bank_lines (
  tenant {ascii:32} NOT NULL,
  statement_id {ascii:32} NOT NULL,
  number {int} NOT NULL,
  is_debit {int} NOT NULL,
  cents {int} NOT NULL,
  booked_date {int} NOT NULL,
  type_code {text:64} NOT NULL,
  details {blob} NOT NULL,
  origin_id {ascii:32},
  deposit_id {ascii:32},
  transfer_id {ascii:32},
  finding {ascii:32},
  PRIMARY KEY (tenant, statement_id, number),
  UNIQUE (tenant, deposit_id, is_debit),
  UNIQUE (tenant, transfer_id, is_debit)
) {table};

CREATE INDEX IF NOT EXISTS deposits_by_day ON deposits (tenant, received_date, id);
CREATE INDEX IF NOT EXISTS deposits_by_return ON deposits (tenant, returned_date, id);
CREATE INDEX IF NOT EXISTS attempts_by_day ON disbursement_attempts (tenant, effective_date, id);
-- sqlite: CREATE INDEX IF NOT EXISTS attempts_by_reference ON disbursement_attempts (tenant, rail_reference);
-- mysql: CREATE INDEX IF NOT EXISTS attempts_by_reference ON disbursement_attempts (tenant, rail_reference(64));
