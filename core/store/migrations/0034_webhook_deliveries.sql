-- Lists of the deliveries of an endpoint by state and by kind, each with its index; kind is that of the event. The
-- revision of a delivery changes with each write, so that an outcome is compared with its own claim. last_failure_at of
-- an endpoint is its last failure since failing_since. previous_end_at is when the first of its previous secrets ends.
-- sqlite: ALTER TABLE deliveries ADD COLUMN kind {ascii:64} NOT NULL DEFAULT '';
-- mysql: ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS kind {ascii:64} NOT NULL DEFAULT '';
-- sqlite: ALTER TABLE deliveries ADD COLUMN revision {int} NOT NULL DEFAULT 0;
-- mysql: ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS revision {int} NOT NULL DEFAULT 0;
-- sqlite: ALTER TABLE webhook_endpoints ADD COLUMN last_failure_at {int};
-- mysql: ALTER TABLE webhook_endpoints ADD COLUMN IF NOT EXISTS last_failure_at {int};
-- sqlite: ALTER TABLE webhook_endpoints ADD COLUMN previous_end_at {int};
-- mysql: ALTER TABLE webhook_endpoints ADD COLUMN IF NOT EXISTS previous_end_at {int};

UPDATE deliveries SET kind = COALESCE(
  (SELECT e.kind FROM events e WHERE e.tenant = deliveries.tenant AND e.id = deliveries.event_id), '')
WHERE kind = '';
-- The end of these secrets is in their encrypted column; the next removal reads it.
UPDATE webhook_endpoints SET previous_end_at = 0 WHERE LENGTH(previous_secrets) > 0 AND previous_end_at IS NULL;

CREATE INDEX IF NOT EXISTS deliveries_by_state ON deliveries (tenant, endpoint_id, state, event_id);
CREATE INDEX IF NOT EXISTS deliveries_by_kind ON deliveries (tenant, endpoint_id, kind, state, event_id);
CREATE INDEX IF NOT EXISTS webhook_endpoints_by_secret_end ON webhook_endpoints (previous_end_at);
-- sqlite: DROP INDEX IF EXISTS deliveries_of_endpoint;
-- mysql: DROP INDEX IF EXISTS deliveries_of_endpoint ON deliveries;
