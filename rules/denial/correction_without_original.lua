-- The original may have gone another way, so this is a hint.
local claims = lib('claims')

return {
  id = 'denial.correction_without_original', rev = 1, mode = 'live',
  family = 'duplicate',
  reason = { group = 'CO', code = '129', carc = '129' },
  weight = 0.15, strength = 10, severity = 'info',
  summary = 'Corrects a claim that was never seen here',
  fix = 'Send the payer\'s number of the original along with the correction.',
  field = 'claim_frequency_code',
  needs = { 'claim_frequency_code', 'history' },
  profiles = { lenient = 'warning', standard = 'warning', strict = 'warning' },

  evaluate = function(claim)
    return claims.is_correction(claim) and claim.duplicates == 0 and claim.history.likely_duplicates == 0
  end,
}
