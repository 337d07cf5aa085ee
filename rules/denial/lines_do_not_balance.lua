-- Billing systems send a line's amount either as the line's total or as the price of one unit: both readings are tried.
return {
  id = 'denial.lines_do_not_balance', rev = 2, mode = 'live',
  family = 'balance',
  reason = { group = 'CO', code = 'LINES_DO_NOT_BALANCE', carc = '16' },
  weight = 0.30, strength = 20, severity = 'moderate',
  summary = 'The lines do not add up to the claim\'s amount',
  fix = 'Send the sum of the lines as submitted_amount.',
  field = 'submitted_amount',
  needs = { 'lines' },

  evaluate = function(claim)
    local difference = claim.lines_difference_cents
    if difference == 0 then return nil end
    local all, units_times_price = claim.lines, 0  -- in thousandths of a cent, since units have three decimals
    for i = 1, #all do
      local line = all[i]
      local cents = line.amount_cents
      if not cents then return nil end  -- a line without amount: nothing can be said
      units_times_price = units_times_price + cents * line.units_milli
    end
    if units_times_price ~= claim.amount_cents * 1000 then return { amount_at_risk_cents = math.abs(difference) } end
  end,
}
