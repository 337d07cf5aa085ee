-- Claims, their newest status, and the statuses that came before it. Sealed columns hold what core/store/encryption/sealed_tables.hpp
-- says. claim_lookup finds a claim by its identifier: a keyed digest, of one tenant, so that the index needs nothing else.
-- duplicate_key finds look-alikes: the service date before 40 bits of duplicate_digest, so that the entries of one day
-- are neighbours and few pages of the index are hot.
CREATE TABLE IF NOT EXISTS claims (
  tenant {ascii:32} NOT NULL,
  id {ascii:32} NOT NULL,
  claim_lookup {bytes:16} NOT NULL,
  claim_identifier {blob} NOT NULL,
  facility {text} NOT NULL,
  chart_identifier {blob} NOT NULL,
  date_of_service {int},
  date_of_submission {int},
  servicer_npi {text} NOT NULL,
  billing_npi {text} NOT NULL,
  payer_id {text} NOT NULL,
  submitted_cents {int} NOT NULL,
  service_lines {blob} NOT NULL,
  duplicate_key {int} NOT NULL,
  duplicate_digest {ascii:128} NOT NULL,
  status {ascii:16} NOT NULL,
  status_previous {ascii:16},
  status_version {int} NOT NULL,
  status_source {ascii:16} NOT NULL,
  status_reason_code {text} NOT NULL,
  status_note {blob} NOT NULL,
  status_effective_at {int},
  status_updated_at {int} NOT NULL,
  replaced_at {int},
  guard {int} NOT NULL DEFAULT 0,
  revision {int} NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, id),
  UNIQUE (claim_lookup)
) {table};

CREATE INDEX IF NOT EXISTS claims_by_duplicate_key ON claims (duplicate_key);

-- A status moves here when the next one takes its place: a claim that never moved costs no row.
CREATE TABLE IF NOT EXISTS claim_status_history (
  tenant {ascii:32} NOT NULL,
  claim_id {ascii:32} NOT NULL,
  version {int} NOT NULL,
  status {ascii:16} NOT NULL,
  previous {ascii:16},
  source {ascii:16} NOT NULL,
  reason_code {text} NOT NULL,
  note {blob} NOT NULL,
  effective_at {int},
  updated_at {int} NOT NULL,
  PRIMARY KEY (tenant, claim_id, version)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};
