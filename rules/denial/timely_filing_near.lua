-- A claim without a submission date counts as submitted today.
local limits = table('payer_limits')

return {
  id = 'denial.timely_filing_near', rev = 1, mode = 'live',
  family = 'timing',
  reason = { group = 'CO', code = 'TIMELY_FILING', carc = '29' },
  weight = 0.10, strength = 20, severity = 'info',
  summary = 'Close to the payer\'s filing limit',
  fix = 'Submit today: a rejected claim would come too late.',
  field = 'date_of_service',
  needs = { 'date_of_service' },
  profiles = { lenient = 'warning', standard = 'warning', strict = 'warning' },

  evaluate = function(claim, payer)
    local days, row = claim.days_to_submission, limits.get(payer.id)
    local limit = row and row.timely_days or payer.timely_filing_days
    return days <= limit and days > limit - 7
  end,
}
