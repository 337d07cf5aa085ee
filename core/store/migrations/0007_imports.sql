-- Import jobs, their payload in pieces, and the faults found. Workers take jobs of all tenants by the job's id alone.
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
  total_rows {int} NOT NULL,
  accepted_rows {int} NOT NULL,
  rejected_rows {int} NOT NULL,
  duplicate_rows {int} NOT NULL,
  errors_truncated {int} NOT NULL,
  submitted_at {int} NOT NULL,
  started_at {int},
  finished_at {int},
  rows_done {int} NOT NULL,
  epoch {int} NOT NULL,
  lease_end {int} NOT NULL
) {table};

CREATE INDEX IF NOT EXISTS import_jobs_open ON import_jobs (status, id);

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
  number {int} NOT NULL,
  claim_row {int} NOT NULL,
  file_line {int} NOT NULL,
  field {text} NOT NULL,
  claim_identifier {blob} NOT NULL,
  code {ascii:64} NOT NULL,
  message {text} NOT NULL,
  PRIMARY KEY (job_id, number)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};
