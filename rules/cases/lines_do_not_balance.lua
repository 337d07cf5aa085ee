local function lines(...)
  local list = {}
  for i = 1, select('#', ...) do list[i] = { amount_cents = select(i, ...) } end
  return list
end

return {
  rule = 'denial.lines_do_not_balance',
  cases = {
    { name = 'line totals add up', claim = { amount_cents = 30000, lines = lines(10000, 20000) }, expect = 'nothing' },
    { name = 'unit prices add up', expect = 'nothing',
      claim = { amount_cents = 30000, lines = { { units_milli = 2000, amount_cents = 10000 },
        { amount_cents = 10000 } } } },
    { name = 'half units add up', expect = 'nothing',
      claim = { amount_cents = 5000, lines = { { units_milli = 500, amount_cents = 10000 } } } },
    { name = 'unit prices that had to be rounded', expect = 'nothing',
      claim = { amount_cents = 5000, lines = { { units_milli = 1500, amount_cents = 3333 } } } },
    { name = 'a cent of slack is enough for unit prices', expect = 'nothing',
      claim = { amount_cents = 10000, lines = { { units_milli = 1500, amount_cents = 3333 },
        { units_milli = 1500, amount_cents = 3333 } } } },
    { name = 'unit prices two cents apart', expect = { probability = 0.30 },
      claim = { amount_cents = 10001, lines = { { units_milli = 1500, amount_cents = 3333 },
        { units_milli = 1500, amount_cents = 3333 } } } },
    { name = 'a cent is missing', claim = { amount_cents = 30000, lines = lines(10000, 19999) },
      expect = { probability = 0.30, amount_at_risk_cents = 1 } },
    { name = 'no lines', claim = { lines = {} }, expect = 'nothing' },
    { name = 'a line without amount', claim = { lines = { { cpt = '99213' } } }, expect = 'nothing' },
  },
}
