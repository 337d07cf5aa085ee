return {
  rule = 'terms.standard',
  cases = {
    { name = 'safe', expect = { decision = 'approved', advance_percentage = 0.80, fee_percentage = 0.02, reasons = {} } },
    { name = 'the safest that is not approved', review = { denial_probability_bps = 2000 },
      expect = { decision = 'manual_review', advance_percentage = 0.80, reasons = { 'risk_needs_review' } } },
    { name = 'the riskiest that is approved', review = { denial_probability_bps = 1999 }, expect = { decision = 'approved' } },
    { name = 'even odds go to a person', review = { denial_probability_bps = 5000 }, expect = { decision = 'manual_review' } },
    { name = 'more likely denied', review = { denial_probability_bps = 5001 },
      expect = { decision = 'declined', reasons = { 'risk_above_limit' } } },
    { name = 'just confident enough', review = { confidence_bps = 7000 }, expect = { decision = 'approved' } },
    { name = 'not confident enough', review = { confidence_bps = 6999 },
      expect = { decision = 'manual_review', reasons = { 'confidence_needs_review' } } },
    { name = 'the largest that is approved', review = { submitted_cents = usd(25000.00) }, expect = { decision = 'approved' } },
    { name = 'a cent more', review = { submitted_cents = usd(25000.01) },
      expect = { decision = 'manual_review', reasons = { 'amount_needs_review' } } },
  },
}
