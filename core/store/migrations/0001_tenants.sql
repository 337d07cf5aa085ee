-- Tenants and their API clients. matching_guard is the row that every transaction which matches money raises first, so
-- that two of one tenant never overlap, on any node (a lock would not reach across Galera nodes; a written row does).
CREATE TABLE IF NOT EXISTS tenants (
  id {ascii:32} NOT NULL PRIMARY KEY,
  name {text:255} NOT NULL,
  profile {ascii:16} NOT NULL,
  post_on {ascii:16} NOT NULL,
  matching_guard {int} NOT NULL,
  created_at {int} NOT NULL,
  UNIQUE (name)
) {table};

-- secret_digest is an HMAC under the key secret_key_id of the ring; the secret itself is stored nowhere.
CREATE TABLE IF NOT EXISTS clients (
  id {ascii:32} NOT NULL PRIMARY KEY,
  tenant {ascii:32} NOT NULL,
  name {text:255} NOT NULL,
  environment {ascii:16} NOT NULL,
  scopes {int} NOT NULL,
  secret_key_id {text:255} NOT NULL,
  secret_digest {bytes:32} NOT NULL,
  epoch {int} NOT NULL,
  enabled {int} NOT NULL,
  created_at {int} NOT NULL
) {table};
