-- Files of watched folders. content is the SHA-256 of the one file with this content that is posted or will be; it is
-- NULL for duplicates and quarantined files. open: the folder has work to do for the file.
CREATE TABLE IF NOT EXISTS pickup_files (
  tenant {ascii:32} NOT NULL,
  id {ascii:32} NOT NULL,
  folder {text:64} NOT NULL,
  content {ascii:64},
  open {int} NOT NULL,
  name {text} NOT NULL,
  sha256 {ascii:64} NOT NULL,
  bytes {int} NOT NULL,
  status {ascii:16} NOT NULL,
  kind {ascii:16} NOT NULL,
  format {text:255} NOT NULL,
  objects {text} NOT NULL,
  duplicate_of {ascii:32},
  error_code {ascii:64} NOT NULL,
  error {text} NOT NULL,
  place {text} NOT NULL,
  target {text} NOT NULL,
  attempts {int} NOT NULL,
  next_attempt {int} NOT NULL,
  received_at {int} NOT NULL,
  finished_at {int},
  PRIMARY KEY (tenant, id)
) {table};

CREATE UNIQUE INDEX IF NOT EXISTS pickup_files_by_content ON pickup_files (tenant, content);
CREATE INDEX IF NOT EXISTS pickup_files_open ON pickup_files (tenant, folder, open, id);

-- The answers to imports, both encrypted: they name claims.
CREATE TABLE IF NOT EXISTS acknowledgments (
  tenant {ascii:32} NOT NULL,
  job_id {ascii:32} NOT NULL,
  interchange {blob} NOT NULL,
  implementation {blob} NOT NULL,
  PRIMARY KEY (tenant, job_id)
) {table};

CREATE TABLE IF NOT EXISTS control_numbers (
  tenant {ascii:32} NOT NULL,
  last {int} NOT NULL,
  PRIMARY KEY (tenant)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};
