-- Billing systems send a line's amount either as the line's total or as the price of one unit: both readings are tried.
return {
  id = 'denial.lines_do_not_balance', rev = 1, mode = 'live',
  family = 'balance',
  reason = { group = 'CO', code = 'LINES_DO_NOT_BALANCE', carc = '16' },
  summary = 'The lines do not add up to the claim\'s amount',
  fix = 'Send the sum of the lines as submitted_amount.',
  field = 'submitted_amount',

  evaluate = function(claim)
    if claim.line_count == 0 then return nil end
    local units_times_price = 0  -- in thousandths of a cent, since units have three decimals
    for _, line in ipairs(claim.lines) do
      if not line.amount_cents then return nil end  -- a line without amount: nothing can be said
      units_times_price = units_times_price + line.amount_cents * line.units_milli
    end
    if claim.lines_total_cents ~= claim.amount_cents and units_times_price ~= claim.amount_cents * 1000 then
      return { probability = 0.30, amount_at_risk_cents = math.abs(claim.lines_total_cents - claim.amount_cents) }
    end
  end,
}
