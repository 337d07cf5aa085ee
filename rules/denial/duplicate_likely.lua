-- Same chart, payer, amount and day of service (or within 45 days without one), though not line by line.
local claims = lib('claims')

return {
  id = 'denial.duplicate_likely', rev = 2, mode = 'live',
  family = 'duplicate',
  reason = { group = 'OA', code = '18', carc = '18' },
  weight = 0.50, strength = 30, severity = 'strong',
  summary = 'Probably billed before',
  fix = 'Look for an earlier claim of the same visit; send a correction as a replacement.',
  field = 'claim_identifier',

  evaluate = function(claim)
    local is_exact = claim.duplicates > 0 and claim.date_of_service ~= nil
    if is_exact or claims.is_correction(claim) then return nil end
    if claim.history.known then return claim.history.likely_duplicates > 0 end
    return claim.duplicates > 0
  end,
}
