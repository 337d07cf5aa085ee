-- Work that waits for a person.
CREATE TABLE IF NOT EXISTS tasks (
  tenant {ascii:32} NOT NULL,
  id {ascii:32} NOT NULL,
  kind {ascii:32} NOT NULL,
  object_id {text} NOT NULL,
  note {text} NOT NULL,
  state {ascii:16} NOT NULL,
  opened_at {int} NOT NULL,
  PRIMARY KEY (tenant, id)
) {table};

CREATE INDEX IF NOT EXISTS tasks_by_state ON tasks (tenant, state, id);
