-- Same chart and payer, within 180 days, and nothing was paid since.
return {
  id = 'denial.coverage_denied_before', rev = 1, mode = 'live',
  family = 'eligibility',
  reason = { group = 'PR', code = '27', carc = '27' },
  weight = 0.60, strength = 20, severity = 'strong',
  summary = 'This payer denied the patient\'s coverage lately',
  fix = 'Ask for current coverage before billing again.',
  field = 'patient_primary_payor_id',
  needs = { 'history' },

  evaluate = function(claim)
    return claim.history.chart_eligibility_denials > 0
  end,
}
