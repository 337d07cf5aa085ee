-- What finds an advance, or a payment, though a claim's number came back in another form. lookup and *_form are keyed digests of one tenant, as
-- claims.claim_lookup is: of the number in normal form, and of what is left of it where payers cut it. In rows from before this migration they
-- are missing (numbered = 0, number_form NULL); the next start that may write fills them (core/store/records/claims/number_forms.hpp).
CREATE TABLE IF NOT EXISTS advance_numbers (
  lookup {bytes:16} NOT NULL,
  settlement_id {ascii:32} NOT NULL,
  tenant {ascii:32} NOT NULL,
  PRIMARY KEY (lookup, settlement_id)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};

-- sqlite: ALTER TABLE settlements ADD COLUMN numbered {int} NOT NULL DEFAULT 0;
-- mysql: ALTER TABLE settlements ADD COLUMN IF NOT EXISTS numbered {int} NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS settlements_by_numbered ON settlements (numbered, tenant, id);
CREATE INDEX IF NOT EXISTS settlements_by_charge ON settlements (tenant, billed_cents, status, receivable_open, payer_id, billed_date);

-- sqlite: ALTER TABLE remittance_claims ADD COLUMN number_form {bytes:16};
-- mysql: ALTER TABLE remittance_claims ADD COLUMN IF NOT EXISTS number_form {bytes:16};
-- sqlite: ALTER TABLE remittance_claims ADD COLUMN payer_number_form {bytes:16};
-- mysql: ALTER TABLE remittance_claims ADD COLUMN IF NOT EXISTS payer_number_form {bytes:16};
CREATE INDEX IF NOT EXISTS remittance_claims_by_form ON remittance_claims (number_form, remittance_id);
CREATE INDEX IF NOT EXISTS remittance_claims_by_payer_form ON remittance_claims (payer_number_form, settlement_id);
CREATE INDEX IF NOT EXISTS remittance_claims_by_charge ON remittance_claims (tenant, state, charge_cents, date_of_service);
