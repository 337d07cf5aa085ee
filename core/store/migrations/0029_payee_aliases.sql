-- Ids under which payers name a practice other than by its NPI, learned from remittances whose claims are all of one
-- practice. alias is encrypted, since a tax id may be a social security number; alias_lookup is a keyed digest of
-- tenant, kind, payer and alias. payer_id is that of an assigned number, else empty. remittance_id is the evidence;
-- removed_at: an operator removed it, or claims of another practice came under it, so that it is not learned again.
CREATE TABLE IF NOT EXISTS payee_aliases (
  tenant {ascii:32} NOT NULL,
  id {ascii:32} NOT NULL,
  alias_lookup {bytes:16} NOT NULL,
  kind {ascii:16} NOT NULL,
  alias {blob} NOT NULL,
  payer_id {text:255} NOT NULL,
  payee_npi {ascii:16} NOT NULL,
  remittance_id {ascii:32} NOT NULL,
  learned_at {int} NOT NULL,
  removed_at {int},
  PRIMARY KEY (tenant, id),
  UNIQUE (alias_lookup)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};

-- The ids of the payee of a remittance besides its NPI, encrypted: tax id and the payer's own number.
-- sqlite: ALTER TABLE remittances ADD COLUMN payee_ids {blob} NOT NULL DEFAULT x'';
-- mysql: ALTER TABLE remittances ADD COLUMN IF NOT EXISTS payee_ids {blob} NOT NULL DEFAULT '';

-- The learned id that named the practice of a row.
-- sqlite: ALTER TABLE allocations ADD COLUMN payee_alias_id {ascii:32};
-- mysql: ALTER TABLE allocations ADD COLUMN IF NOT EXISTS payee_alias_id {ascii:32};
