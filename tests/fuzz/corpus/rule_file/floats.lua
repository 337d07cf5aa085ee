return {
  id = 'denial.fuzz', rev = 1, mode = 'live', family = 'test', reason = { group = 'CO', code = '16' },
  summary = 'A test', fix = 'Nothing',
  evaluate = function(claim) return claim.amount_cents >= 10000.00 and { probability = 1e-1, amount_at_risk_cents = claim.amount_cents * .8 } or nil end,
}
