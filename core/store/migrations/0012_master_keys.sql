-- What the database knows of the key ring: a sealed canary per key, so that a wrong or lost ring shows at start-up, and
-- how far the re-sealing after a rotation has come, so that any node goes on with it after any crash.
CREATE TABLE IF NOT EXISTS master_keys (
  key_id {ascii:16} NOT NULL PRIMARY KEY,
  canary {blob} NOT NULL,
  first_current_at {int} NOT NULL,
  last_current_at {int} NOT NULL,
  seals {int} NOT NULL
) {table};

CREATE TABLE IF NOT EXISTS reseal_progress (
  table_name {ascii:64} NOT NULL PRIMARY KEY,
  key_id {ascii:16} NOT NULL,
  row_reached {text} NOT NULL,
  done {int} NOT NULL
) {table};
