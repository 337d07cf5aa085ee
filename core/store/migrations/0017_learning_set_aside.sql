-- Entries of the learning journal that no node learns from: not usable, or not to be applied. `entry` is the place in the batch, from 0.
CREATE TABLE IF NOT EXISTS learning_set_aside (
  tenant {ascii:32} NOT NULL,
  seq {int} NOT NULL,
  entry {int} NOT NULL,
  object_id {ascii:64} NOT NULL,
  reason {text} NOT NULL,
  at {int} NOT NULL,
  PRIMARY KEY (tenant, seq, entry)
) {table};
