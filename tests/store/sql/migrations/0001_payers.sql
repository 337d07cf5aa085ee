-- An example with everything that could trip the embedding: quotes "…", brackets [x], ${dollar} @at@ and a backslash \n.
CREATE TABLE IF NOT EXISTS payer (
  id {ascii:16} NOT NULL PRIMARY KEY,
  name {text:100} NOT NULL DEFAULT 'a;b'
) {table};
