-- Claims, their newest status, and the statuses that came before it.
CREATE TABLE IF NOT EXISTS claims (
  tenant {ascii:32} NOT NULL,
  id {ascii:32} NOT NULL,
  claim_identifier {text:64} NOT NULL,
  facility {text} NOT NULL,
  chart_identifier {text} NOT NULL,
  date_of_service {int},
  date_of_submission {int},
  servicer_npi {text} NOT NULL,
  billing_npi {text} NOT NULL,
  payer_id {text} NOT NULL,
  submitted_cents {int} NOT NULL,
  service_lines {text} NOT NULL,
  duplicate_key {ascii:128} NOT NULL,
  status {ascii:16} NOT NULL,
  status_previous {ascii:16},
  status_version {int} NOT NULL,
  status_source {ascii:16} NOT NULL,
  status_reason_code {text} NOT NULL,
  status_note {text} NOT NULL,
  status_effective_at {int},
  status_updated_at {int} NOT NULL,
  replaced_at {int},
  guard {int} NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, claim_identifier)
) {table};

CREATE INDEX IF NOT EXISTS claims_by_duplicate_key ON claims (tenant, duplicate_key);

-- A status moves here when the next one takes its place: a claim that never moved costs no row.
CREATE TABLE IF NOT EXISTS claim_status_history (
  tenant {ascii:32} NOT NULL,
  claim_id {ascii:32} NOT NULL,
  version {int} NOT NULL,
  status {ascii:16} NOT NULL,
  previous {ascii:16},
  source {ascii:16} NOT NULL,
  reason_code {text} NOT NULL,
  note {text} NOT NULL,
  effective_at {int},
  updated_at {int} NOT NULL,
  PRIMARY KEY (tenant, claim_id, version)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};
