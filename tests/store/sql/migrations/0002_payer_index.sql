CREATE INDEX IF NOT EXISTS payer_name ON payer (name);
