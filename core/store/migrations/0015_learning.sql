-- The journal of what is learned from, tenant by tenant: packed names of reviews and payers' answers, in order. sha256 chains the batches.
CREATE TABLE IF NOT EXISTS learning_batches (
  tenant {ascii:32} NOT NULL,
  seq {int} NOT NULL,
  made_at {int} NOT NULL,
  heard_until {int} NOT NULL,
  closes_day {int},
  entries {blob} NOT NULL,
  sha256 {ascii:64} NOT NULL,
  state_digest {ascii:32} NOT NULL,
  PRIMARY KEY (tenant, seq)
) {table};

-- Records of payers as reviews were made with them, under the digest of their content.
CREATE TABLE IF NOT EXISTS payer_editions (
  edition {ascii:64} NOT NULL PRIMARY KEY,
  record {text} NOT NULL
) {table};

-- What a claim was before it was replaced. Written at a replacement only; claims.revision is the number of the newest.
CREATE TABLE IF NOT EXISTS claim_versions (
  tenant {ascii:32} NOT NULL,
  claim_id {ascii:32} NOT NULL,
  revision {int} NOT NULL,
  facility {text} NOT NULL,
  chart_identifier {blob} NOT NULL,
  date_of_service {int},
  date_of_submission {int},
  servicer_npi {text} NOT NULL,
  billing_npi {text} NOT NULL,
  payer_id {text} NOT NULL,
  submitted_cents {int} NOT NULL,
  service_lines {blob} NOT NULL,
  PRIMARY KEY (tenant, claim_id, revision)
) {table};

-- What a review was made from, and what the tenant's record said; NULL in reviews from before this was kept.
-- sqlite: ALTER TABLE reviews ADD COLUMN basis {text};
-- mysql: ALTER TABLE reviews ADD COLUMN IF NOT EXISTS basis {text};
-- sqlite: ALTER TABLE reviews ADD COLUMN features {blob};
-- mysql: ALTER TABLE reviews ADD COLUMN IF NOT EXISTS features {blob};
-- sqlite: ALTER TABLE reviews ADD COLUMN learned {text};
-- mysql: ALTER TABLE reviews ADD COLUMN IF NOT EXISTS learned {text};
