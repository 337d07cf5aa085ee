-- The payer returns the identifier in its remittance, cut to its own length; a cut one is hard to match.
return {
  id = 'denial.claim_identifier_long', rev = 2, mode = 'live',
  family = 'identifier',
  reason = { group = 'OA', code = 'CLAIM_IDENTIFIER_LONG' },
  weight = 0.01, strength = 50, severity = 'info',
  summary = 'Payers may cut the claim identifier',
  fix = 'Use at most 17 characters, so that remittances match without help.',
  field = 'claim_identifier',
  profiles = { lenient = 'warning', standard = 'warning', strict = 'warning' },

  evaluate = function(claim, _, params)
    return #claim.claim_identifier > params.claim_identifier_safe_length
  end,
}
