-- The clients that changed how an unfunded settlement will be paid, each once. With two-person decisions they do not
-- decide its review.
CREATE TABLE IF NOT EXISTS funding_changes (
  tenant {ascii:32} NOT NULL,
  settlement_id {ascii:32} NOT NULL,
  client_id {ascii:32} NOT NULL,
  first_changed_at {int} NOT NULL,
  PRIMARY KEY (tenant, settlement_id, client_id)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};
