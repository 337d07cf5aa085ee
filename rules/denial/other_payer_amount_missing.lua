-- A payer behind another one pays what that one leaves, and asks for its remittance.
return {
  id = 'denial.other_payer_amount_missing', rev = 1, mode = 'live',
  family = 'coordination',
  reason = { group = 'CO', code = '22', carc = '22' },
  weight = 0.40, strength = 20, severity = 'strong',
  summary = 'Not the primary payer, and what the payers before it paid is missing',
  fix = 'Send paid_by_others: what the payers before this one paid, 0.00 if nothing.',
  field = 'paid_by_others',
  needs = { 'payer_sequence' },
  profiles = { lenient = 'warning', standard = 'reason', strict = 'refusal' },

  evaluate = function(claim)
    return claim.payer_sequence ~= 'primary' and claim.paid_by_others_cents == nil
  end,
}
