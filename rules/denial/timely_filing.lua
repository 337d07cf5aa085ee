-- A claim without a submission date counts as submitted today.
local limits = table('payer_limits')

return {
  id = 'denial.timely_filing', rev = 2, mode = 'live',
  family = 'timing',
  reason = { group = 'CO', code = 'TIMELY_FILING', carc = '29' },
  weight = 0.95, strength = 50, severity = 'high',
  summary = 'Filed after the payer\'s limit',
  fix = 'Send proof of an earlier submission with an appeal, or write the claim off.',
  field = 'date_of_service',
  needs = { 'date_of_service' },

  evaluate = function(claim, payer)
    local days, row = claim.days_to_submission, limits.get(payer.id)
    local limit = row and row.timely_days or payer.timely_filing_days
    if days > limit then return { note = tostring(days) .. ' days, limit ' .. tostring(limit) } end
  end,
}
