-- A claim without a submission date counts as submitted today.
return {
  id = 'denial.timely_filing', rev = 1, mode = 'live',
  family = 'timing',
  reason = { group = 'CO', code = 'TIMELY_FILING', carc = '29' },
  summary = 'Filed after the payer\'s limit',
  fix = 'Send proof of an earlier submission with an appeal, or write the claim off.',
  field = 'date_of_service',

  evaluate = function(claim, payer)
    local days = claim.days_to_submission
    if days and days > payer.timely_filing_days then
      return { probability = 0.95, note = tostring(days) .. ' days, limit ' .. tostring(payer.timely_filing_days) }
    end
  end,
}
