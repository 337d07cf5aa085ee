-- The bounds of the shift that the clock of a tenant has had. A created_at is ahead of the time in its id by a shift
-- within them. A clock from before this migration may have had any shift.
-- sqlite: ALTER TABLE sandbox_clocks ADD COLUMN least_shift_ms {int} NOT NULL DEFAULT -315360000000;
-- mysql: ALTER TABLE sandbox_clocks ADD COLUMN IF NOT EXISTS least_shift_ms {int} NOT NULL DEFAULT -315360000000;
-- sqlite: ALTER TABLE sandbox_clocks ADD COLUMN most_shift_ms {int} NOT NULL DEFAULT 315360000000;
-- mysql: ALTER TABLE sandbox_clocks ADD COLUMN IF NOT EXISTS most_shift_ms {int} NOT NULL DEFAULT 315360000000;

-- The time of the tenant when the claim was made. NULL: before this migration, at the time in the id.
-- sqlite: ALTER TABLE claims ADD COLUMN created_at {int};
-- mysql: ALTER TABLE claims ADD COLUMN IF NOT EXISTS created_at {int};

-- GET /v1/claims by status and by payer. MariaDB needs a length for an indexed text, and copies the table once for it.
-- mysql: ALTER TABLE claims MODIFY COLUMN payer_id {text:255} NOT NULL;
CREATE INDEX IF NOT EXISTS claims_by_status ON claims (tenant, status, id);
CREATE INDEX IF NOT EXISTS claims_by_payer ON claims (tenant, payer_id, id);

-- Each change of a client raises its version. The API cannot enable a client that a command disabled (locked).
-- sqlite: ALTER TABLE clients ADD COLUMN version {int} NOT NULL DEFAULT 0;
-- mysql: ALTER TABLE clients ADD COLUMN IF NOT EXISTS version {int} NOT NULL DEFAULT 0;
-- sqlite: ALTER TABLE clients ADD COLUMN locked {int} NOT NULL DEFAULT 0;
-- mysql: ALTER TABLE clients ADD COLUMN IF NOT EXISTS locked {int} NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS clients_by_tenant ON clients (tenant, id);
