-- Billing systems send a line's amount either as the line's total or as the price of one unit: both readings are
-- tried. Totals add up to the
-- cent, as payers' systems want them to; units times price may be a cent off where the product was rounded.
local a_cent = 1000  -- in thousandths
return {
  id = 'denial.lines_do_not_balance', rev = 3, mode = 'live',
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
    -- in thousandths of a cent, since units have three decimals
    local all, units_times_price, slack = claim.lines, 0, 0
    for i = 1, #all do
      local line = all[i]
      local cents = line.amount_cents
      if not cents then return nil end  -- a line without amount: nothing can be said
      local product = cents * line.units_milli
      if product % a_cent ~= 0 then slack = a_cent end
      units_times_price = units_times_price + product
    end
    if math.abs(units_times_price - claim.amount_cents * 1000) > slack then
      return { amount_at_risk_cents = math.abs(difference) }
    end
  end,
}
