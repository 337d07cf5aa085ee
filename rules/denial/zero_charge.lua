return {
  id = 'denial.zero_charge', rev = 2, mode = 'live',
  family = 'balance',
  reason = { group = 'CO', code = 'ZERO_CHARGE', carc = '16' },
  weight = 0.85, strength = 30, severity = 'high',
  summary = 'The claim asks for nothing',
  fix = 'Send the charge of the claim as submitted_amount.',
  field = 'submitted_amount',
  profiles = { lenient = 'reason', standard = 'reason', strict = 'refusal' },

  evaluate = function(claim)
    return claim.amount_cents == 0
  end,
}
