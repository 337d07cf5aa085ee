-- Sums of a tenant's advances, kept with each booking so that an adjudication need not add them up: under `payer` and `provider` (subject: payer id,
-- billing NPI) the funded principal that is open, under `advanced` and `lost` (subject: a day) what was advanced and lost then.
CREATE TABLE IF NOT EXISTS portfolio (
  tenant {ascii:32} NOT NULL,
  measure {ascii:16} NOT NULL,
  subject {text:255} NOT NULL,
  cents {int} NOT NULL,
  PRIMARY KEY (tenant, measure, subject)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};
