-- Reviews. The authorization is the name that clients use, so it is the key.
CREATE TABLE IF NOT EXISTS reviews (
  tenant {ascii:32} NOT NULL,
  authorization_id {ascii:32} NOT NULL,
  id {ascii:32} NOT NULL,
  claim_id {ascii:32} NOT NULL,
  claim_identifier {blob} NOT NULL,
  denial_probability_bps {int} NOT NULL,
  denial_predicted {int} NOT NULL,
  allowed_cents {int} NOT NULL,
  expected_cents {int} NOT NULL,
  payment_date {int} NOT NULL,
  confidence_bps {int} NOT NULL,
  cash_odds {text} NOT NULL,
  denial_reasons {text} NOT NULL,
  warnings {text} NOT NULL,
  rule_faults {text} NOT NULL,
  rules_version {text} NOT NULL,
  rules_sha256 {ascii:64} NOT NULL,
  submitted_cents {int} NOT NULL,
  payer_id {text} NOT NULL,
  payer_known {int} NOT NULL,
  created_at {int} NOT NULL,
  expires_at {int} NOT NULL,
  PRIMARY KEY (tenant, authorization_id)
) {table};

CREATE INDEX IF NOT EXISTS reviews_by_claim ON reviews (tenant, claim_id, id);
