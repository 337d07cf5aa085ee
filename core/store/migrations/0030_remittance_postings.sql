-- Remittances that are being posted in chunks: which claims are done. revision changes with each chunk, and when another
-- transaction changes a claim of the remittance. again: go through the claims once more before the posting ends.
CREATE TABLE IF NOT EXISTS remittance_postings (
  tenant {ascii:32} NOT NULL,
  remittance_id {ascii:32} NOT NULL,
  matched_by {ascii:32} NOT NULL,
  phase {ascii:16} NOT NULL,
  next_claim {int} NOT NULL,
  revision {int} NOT NULL,
  again {int} NOT NULL,
  moved_at {int} NOT NULL,
  PRIMARY KEY (tenant, remittance_id)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};
