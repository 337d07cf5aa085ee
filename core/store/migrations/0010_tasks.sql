-- Work that waits for a person. votes counts what was said: writing it keeps two votes apart. finding names what a comparison
-- finds every day anew, on every node: one task is opened about it.
CREATE TABLE IF NOT EXISTS tasks (
  tenant {ascii:32} NOT NULL,
  id {ascii:32} NOT NULL,
  kind {ascii:32} NOT NULL,
  object_id {ascii:64} NOT NULL,
  note {text} NOT NULL,
  opened_at {int} NOT NULL,
  opened_by {ascii:32},
  status {ascii:16} NOT NULL,
  decision {ascii:32} NOT NULL,
  closed_at {int},
  votes {int} NOT NULL,
  finding {text:255},
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, finding)
) {table};

CREATE INDEX IF NOT EXISTS tasks_by_status ON tasks (tenant, status, id);
CREATE INDEX IF NOT EXISTS tasks_by_object ON tasks (tenant, object_id, id);

CREATE TABLE IF NOT EXISTS task_votes (
  tenant {ascii:32} NOT NULL,
  task_id {ascii:32} NOT NULL,
  client_id {ascii:32} NOT NULL,
  decision {ascii:32} NOT NULL,
  reason {text} NOT NULL,
  at {int} NOT NULL,
  PRIMARY KEY (tenant, task_id, client_id)
-- sqlite: ) {table}, WITHOUT ROWID;
-- mysql: ) {table};
