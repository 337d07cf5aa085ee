return {
  id = 'denial.zero_charge', rev = 1, mode = 'live',
  family = 'balance',
  reason = { group = 'CO', code = 'ZERO_CHARGE', carc = '16' },
  summary = 'The claim asks for nothing',
  fix = 'Send the charge of the claim as submitted_amount.',
  field = 'submitted_amount',
  profiles = { lenient = 'reason', standard = 'reason', strict = 'refusal' },

  evaluate = function(claim)
    if claim.amount_cents == 0 then return { probability = 0.85 } end
  end,
}
