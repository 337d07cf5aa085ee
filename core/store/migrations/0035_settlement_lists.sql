-- GET /v1/settlements by status, by the state of the funding, and by payer; newest or oldest first.
CREATE INDEX IF NOT EXISTS settlements_by_status ON settlements (tenant, status, id);
CREATE INDEX IF NOT EXISTS settlements_by_funding ON settlements (tenant, funding_status, id);
CREATE INDEX IF NOT EXISTS settlements_by_payer ON settlements (tenant, payer_id, id);
