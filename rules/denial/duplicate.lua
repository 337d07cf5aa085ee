-- The host counts earlier claims of another identifier that look like the same service. Without a day of service the
-- next visit looks like
-- the last one: that is for duplicate_likely to judge.
local claims = lib('claims')

return {
  id = 'denial.duplicate', rev = 3, mode = 'live',
  family = 'duplicate',
  reason = { group = 'OA', code = 'DUPLICATE_CLAIM', carc = '18' },
  weight = 0.90, strength = 50, severity = 'high',
  summary = 'Looks like a service that was billed before',
  fix = 'Send a corrected claim under its first identifier, or mark a true repeat with modifier 76 or 77.',
  field = 'claim_identifier',

  evaluate = function(claim)
    return claim.duplicates > 0 and claim.date_of_service ~= nil and not claims.is_correction(claim)
  end,
}
