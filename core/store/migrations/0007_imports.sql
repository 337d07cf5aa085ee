-- live_digest is file_digest as long as the job has not failed: such a file has one job. An absent external_id is NULL.
-- Import jobs, their payload in pieces, and what became of each row. Workers take jobs of all tenants by the job's id alone.
CREATE TABLE IF NOT EXISTS import_jobs (
  id {ascii:32} NOT NULL PRIMARY KEY,
  tenant {ascii:32} NOT NULL,
  client_id {ascii:32} NOT NULL,
  status {ascii:16} NOT NULL,
  format {text} NOT NULL,
  encoding {text} NOT NULL,
  mapping {text} NOT NULL,
  abort_on_error {int} NOT NULL,
  auto_review {int} NOT NULL,
  dry_run {int} NOT NULL,
  file_digest {ascii:64} NOT NULL,
  external_id {text:255},
  content_digest {ascii:64} NOT NULL,
  payload_bytes {int} NOT NULL,
  bytes_read {int} NOT NULL,
  total_rows {int} NOT NULL,
  accepted_rows {int} NOT NULL,
  rejected_rows {int} NOT NULL,
  duplicate_rows {int} NOT NULL,
  errors_truncated {int} NOT NULL,
  submitted_at {int} NOT NULL,
  started_at {int},
  finished_at {int},
  canceled_at {int},
  rows_done {int} NOT NULL,
  epoch {int} NOT NULL,
  advanced_epoch {int} NOT NULL,
  lease_end {int} NOT NULL,
  live_digest {ascii:64},
  UNIQUE (tenant, external_id),
  UNIQUE (tenant, live_digest)
) {table};

CREATE INDEX IF NOT EXISTS import_jobs_open ON import_jobs (status, id);
CREATE INDEX IF NOT EXISTS import_jobs_of_tenant ON import_jobs (tenant, id);

CREATE TABLE IF NOT EXISTS import_pieces (
  tenant {ascii:32} NOT NULL,
  job_id {ascii:32} NOT NULL,
  number {int} NOT NULL,
  bytes {blob} NOT NULL,
  PRIMARY KEY (job_id, number)
) {table};

CREATE TABLE IF NOT EXISTS import_faults (
  tenant {ascii:32} NOT NULL,
  job_id {ascii:32} NOT NULL,
  claim_row {int} NOT NULL,
  file_line {int} NOT NULL,
  field {text} NOT NULL,
  claim_identifier {blob} NOT NULL,
  code {ascii:64} NOT NULL,
  message {text} NOT NULL,
  PRIMARY KEY (job_id, claim_row)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};

-- The rows that were not rejected; each row of a file is here or above.
CREATE TABLE IF NOT EXISTS import_rows (
  tenant {ascii:32} NOT NULL,
  job_id {ascii:32} NOT NULL,
  claim_row {int} NOT NULL,
  file_line {int} NOT NULL,
  outcome {ascii:16} NOT NULL,
  claim_id {ascii:32},
  authorization_id {ascii:32},
  PRIMARY KEY (job_id, claim_row)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};
