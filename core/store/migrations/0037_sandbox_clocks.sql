-- The clocks of sandbox tenants (core/docs/sandbox_clock.md). shift_ms is the time of the tenant minus the real time;
-- shift_days is the same in days, rounded up. Empty in production.
CREATE TABLE IF NOT EXISTS sandbox_clocks (
  tenant {ascii:32} NOT NULL,
  shift_ms {int} NOT NULL,
  shift_days {int} NOT NULL,
  PRIMARY KEY (tenant)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};

CREATE INDEX IF NOT EXISTS sandbox_clocks_by_shift ON sandbox_clocks (shift_ms);

CREATE INDEX IF NOT EXISTS sandbox_clocks_by_days ON sandbox_clocks (shift_days);
