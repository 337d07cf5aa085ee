-- Events wait in the outbox until the publisher gives them their place in the tenant's sequence; then each subscribed
-- endpoint gets a delivery. The outbox and the queue of deliveries serve all tenants in time order.
CREATE TABLE IF NOT EXISTS outbox (
  id {ascii:32} NOT NULL PRIMARY KEY,
  tenant {ascii:32} NOT NULL,
  kind {ascii:64} NOT NULL,
  data {blob} NOT NULL,
  created_at {int} NOT NULL
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};

CREATE TABLE IF NOT EXISTS events (
  tenant {ascii:32} NOT NULL,
  sequence {int} NOT NULL,
  id {ascii:32} NOT NULL,
  kind {ascii:64} NOT NULL,
  body {blob} NOT NULL,
  created_at {int} NOT NULL,
  PRIMARY KEY (tenant, sequence),
  UNIQUE (tenant, id)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};

CREATE TABLE IF NOT EXISTS deliveries (
  tenant {ascii:32} NOT NULL,
  event_id {ascii:32} NOT NULL,
  endpoint_id {ascii:32} NOT NULL,
  attempts {int} NOT NULL,
  state {ascii:16} NOT NULL,
  next_try_at {int} NOT NULL,
  last_status {int} NOT NULL,
  last_error {text} NOT NULL,
  manual {int} NOT NULL,
  PRIMARY KEY (tenant, event_id, endpoint_id)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};

CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (state, next_try_at);

CREATE TABLE IF NOT EXISTS webhook_endpoints (
  tenant {ascii:32} NOT NULL,
  id {ascii:32} NOT NULL,
  url {text} NOT NULL,
  event_kinds {text} NOT NULL,
  description {text} NOT NULL,
  secret {blob} NOT NULL,
  enabled {int} NOT NULL,
  created_at {int} NOT NULL,
  PRIMARY KEY (tenant, id)
) {table};
