-- The secrets of clients: at most two are live. digest is an HMAC under the key key_id of the ring; the secret itself is
-- stored nowhere. number is part of each token that the secret obtained, so that a revoked secret ends its tokens;
-- secrets from before this migration have 0, as the tokens from before it. last_used_at is exact to an hour.
CREATE TABLE IF NOT EXISTS client_secrets (
  client_id {ascii:32} NOT NULL,
  number {int} NOT NULL,
  id {ascii:32} NOT NULL,
  key_id {text:255} NOT NULL,
  digest {bytes:32} NOT NULL,
  created_at {int} NOT NULL,
  expires_at {int},
  last_used_at {int},
  revoked_at {int},
  PRIMARY KEY (client_id, number),
  UNIQUE (id)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};

-- sqlite: INSERT OR IGNORE INTO client_secrets (client_id, number, id, key_id, digest, created_at)
-- mysql: INSERT IGNORE INTO client_secrets (client_id, number, id, key_id, digest, created_at)
SELECT id, 0, REPLACE(id, 'cli_', 'sec_'), secret_key_id, secret_digest, created_at FROM clients;

-- The columns secret_key_id and secret_digest of clients are no longer read.
-- sqlite: ALTER TABLE clients ADD COLUMN expires_at {int};
-- mysql: ALTER TABLE clients ADD COLUMN IF NOT EXISTS expires_at {int};
