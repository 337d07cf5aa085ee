-- Without a directory record neither filing limit nor payment history is known: the answer stands on default rates.
-- The probability stays low enough that the claim goes to an operator instead of being declined.
return {
  id = 'denial.payer_unknown', rev = 3, mode = 'live',
  family = 'payer',
  reason = { group = 'OA', code = 'PAYER_UNKNOWN', carc = '109' },
  weight = 0.30, strength = 30, severity = 'moderate',
  summary = 'The payer is not in the directory',
  fix = 'Look the payer up with GET /v1/metadata/payers and send its payer_id.',
  field = 'patient_primary_payor_id',
  profiles = { lenient = 'warning', standard = 'reason', strict = 'refusal' },
  confidence_cap = { lenient = 0.75, standard = 0.40 },

  evaluate = function(_, payer)
    if payer.known then return nil end
    return payer.near_id and { note = 'did you mean ' .. payer.near_id .. '?' } or true
  end,
}
