-- Ids and originators of payers that no directory has, learned from remittances whose claims are all of one payer.
-- alias is in upper case; remittance_id is the evidence; removed_at: an operator removed it, so that it is not learned
-- again.
CREATE TABLE IF NOT EXISTS payer_aliases (
  tenant {ascii:32} NOT NULL,
  kind {ascii:16} NOT NULL,
  alias {text:255} NOT NULL,
  id {ascii:32} NOT NULL,
  payer_id {text:255} NOT NULL,
  remittance_id {ascii:32} NOT NULL,
  learned_at {int} NOT NULL,
  removed_at {int},
  PRIMARY KEY (tenant, kind, alias)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};

CREATE UNIQUE INDEX IF NOT EXISTS payer_aliases_by_id ON payer_aliases (tenant, id);

-- Trace numbers in normal form (core/domain/claims/claim_number.hpp): upper case, without blanks and leading zeros.
-- sqlite: ALTER TABLE deposits ADD COLUMN trace_form {text:255} NOT NULL DEFAULT '';
-- mysql: ALTER TABLE deposits ADD COLUMN IF NOT EXISTS trace_form {text:255} NOT NULL DEFAULT '';
-- sqlite: ALTER TABLE remittances ADD COLUMN trace_form {text:255} NOT NULL DEFAULT '';
-- mysql: ALTER TABLE remittances ADD COLUMN IF NOT EXISTS trace_form {text:255} NOT NULL DEFAULT '';
-- sqlite: UPDATE deposits SET trace_form =
-- sqlite:   COALESCE(NULLIF(UPPER(LTRIM(REPLACE(trace_number, ' ', ''), '0')), ''), '0')
-- sqlite:   WHERE LENGTH(trace_number) > 0;
-- mysql: UPDATE deposits SET trace_form =
-- mysql:   COALESCE(NULLIF(UPPER(TRIM(LEADING '0' FROM REPLACE(trace_number, ' ', ''))), ''), '0')
-- mysql:   WHERE LENGTH(trace_number) > 0;
-- sqlite: UPDATE remittances SET trace_form =
-- sqlite:   COALESCE(NULLIF(UPPER(LTRIM(REPLACE(trace_number, ' ', ''), '0')), ''), '0')
-- sqlite:   WHERE LENGTH(trace_number) > 0;
-- mysql: UPDATE remittances SET trace_form =
-- mysql:   COALESCE(NULLIF(UPPER(TRIM(LEADING '0' FROM REPLACE(trace_number, ' ', ''))), ''), '0')
-- mysql:   WHERE LENGTH(trace_number) > 0;
CREATE INDEX IF NOT EXISTS deposits_by_trace_form ON deposits (tenant, trace_form, cents, id);
CREATE INDEX IF NOT EXISTS remittances_by_trace_form ON remittances (tenant, trace_form, payment_cents);
-- sqlite: DROP INDEX IF EXISTS deposits_by_trace;
-- mysql: DROP INDEX IF EXISTS deposits_by_trace ON deposits;
-- sqlite: DROP INDEX IF EXISTS remittances_by_trace;
-- mysql: DROP INDEX IF EXISTS remittances_by_trace ON remittances;
