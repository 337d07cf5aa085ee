-- The claim itself says that no payment to the provider will follow. No denial, but nothing to advance either: the
-- terms decline.
return {
  id = 'denial.not_paid_to_provider', rev = 1, mode = 'live',
  family = 'payee',
  reason = { group = 'OA', code = 'NOT_PAID_TO_PROVIDER' },
  weight = 0.01, strength = 50, severity = 'info',
  summary = 'The payer may not pay the provider for this claim',
  fix = 'Nothing, if the claim says what it means; else correct the named field.',
  profiles = { lenient = 'warning', standard = 'warning', strict = 'warning' },

  evaluate = function(claim)
    local found = {}
    local function because(field, note) found[#found + 1] = { field = field, note = note } end
    if claim.benefits_assigned == false then because('benefits_assigned',
      'benefits are not assigned: the payer pays the patient') end
    if claim.accepts_assignment == false then because('accepts_assignment',
      'the provider does not accept assignment: the payer may pay the patient') end
    if claim.is_encounter then because('is_encounter', 'an encounter: nothing is paid for it') end
    if claim.pay_to_plan then because('pay_to_plan', 'a pay-to plan: the payer pays another plan') end
    if claim.claim_frequency_code == '8' then because('claim_frequency_code', 'it voids a claim') end
    if claim.is_test then because('is_test', 'a test claim: no advance in production') end
    return found
  end,
}
