-- What the operations of webhooks need. health of an endpoint: failing_since is its first failure since the last success,
-- gone_answers and gone_since count answers 410 in a row. disabled_at is NULL for an endpoint that an earlier version
-- disabled. A delivery is in progress until the outcome of its attempt is written, or next_try_at has passed.
-- sqlite: ALTER TABLE webhook_endpoints ADD COLUMN previous_secrets {blob} NOT NULL DEFAULT x'';
-- mysql: ALTER TABLE webhook_endpoints ADD COLUMN IF NOT EXISTS previous_secrets {blob} NOT NULL DEFAULT '';
-- sqlite: ALTER TABLE webhook_endpoints ADD COLUMN disabled_reason {ascii:16};
-- mysql: ALTER TABLE webhook_endpoints ADD COLUMN IF NOT EXISTS disabled_reason {ascii:16};
-- sqlite: ALTER TABLE webhook_endpoints ADD COLUMN disabled_at {int};
-- mysql: ALTER TABLE webhook_endpoints ADD COLUMN IF NOT EXISTS disabled_at {int};
-- sqlite: ALTER TABLE webhook_endpoints ADD COLUMN failing_since {int};
-- mysql: ALTER TABLE webhook_endpoints ADD COLUMN IF NOT EXISTS failing_since {int};
-- sqlite: ALTER TABLE webhook_endpoints ADD COLUMN gone_answers {int} NOT NULL DEFAULT 0;
-- mysql: ALTER TABLE webhook_endpoints ADD COLUMN IF NOT EXISTS gone_answers {int} NOT NULL DEFAULT 0;
-- sqlite: ALTER TABLE webhook_endpoints ADD COLUMN gone_since {int};
-- mysql: ALTER TABLE webhook_endpoints ADD COLUMN IF NOT EXISTS gone_since {int};
-- sqlite: ALTER TABLE webhook_endpoints ADD COLUMN revision {int} NOT NULL DEFAULT 0;
-- mysql: ALTER TABLE webhook_endpoints ADD COLUMN IF NOT EXISTS revision {int} NOT NULL DEFAULT 0;
-- sqlite: ALTER TABLE deliveries ADD COLUMN last_try_at {int};
-- mysql: ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS last_try_at {int};
-- sqlite: ALTER TABLE deliveries ADD COLUMN in_progress {int} NOT NULL DEFAULT 0;
-- mysql: ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS in_progress {int} NOT NULL DEFAULT 0;

CREATE INDEX IF NOT EXISTS deliveries_of_endpoint ON deliveries (tenant, endpoint_id, event_id);

-- Until now only an answer 410 disabled an endpoint.
UPDATE webhook_endpoints SET disabled_reason = 'gone' WHERE enabled = 0 AND disabled_reason IS NULL;
