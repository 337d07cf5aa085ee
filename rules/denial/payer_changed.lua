-- Who paid for the same chart a few weeks ago is likely to be its payer still.
return {
  id = 'denial.payer_changed', rev = 1, mode = 'live',
  family = 'eligibility',
  reason = { group = 'OA', code = '22', carc = '22' },
  weight = 0.25, strength = 20, severity = 'moderate',
  summary = 'Another payer paid for this patient lately',
  fix = 'Check coverage and the order of payers on the day of service.',
  field = 'patient_primary_payor_id',
  needs = { 'history' },

  evaluate = function(claim)
    local history = claim.history
    local last = history.chart_last_payer
    if not last or last == claim.payer_id then return nil end
    local days = history.chart_last_paid_days
    return days ~= nil and days <= 60
  end,
}
