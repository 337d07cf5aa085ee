-- Sandbox clocks (core/docs/sandbox_clock.md): events by the days of the tenant, whose ids have the real time; and the
-- attempts that a worker holds, whose next_resolve_at is real time while in_progress is 1.
CREATE INDEX IF NOT EXISTS events_by_time ON events (tenant, created_at, id);

-- sqlite: ALTER TABLE disbursement_attempts ADD COLUMN in_progress {int} NOT NULL DEFAULT 0;
-- mysql: ALTER TABLE disbursement_attempts ADD COLUMN IF NOT EXISTS in_progress {int} NOT NULL DEFAULT 0;
