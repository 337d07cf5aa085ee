-- The host counts earlier claims of another identifier that look like the same service.
local claims = lib('claims')

return {
  id = 'denial.duplicate', rev = 2, mode = 'live',
  family = 'duplicate',
  reason = { group = 'OA', code = 'DUPLICATE_CLAIM', carc = '18' },
  weight = 0.90, strength = 50, severity = 'high',
  summary = 'Looks like a service that was billed before',
  fix = 'Send a corrected claim under its first identifier, or mark a true repeat with modifier 76 or 77.',
  field = 'claim_identifier',

  evaluate = function(claim)
    return claim.duplicates > 0 and not claims.is_correction(claim)
  end,
}
