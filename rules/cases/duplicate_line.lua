local visit = { cpt = '99213', amount_cents = usd(100.00) }
local marked = { cpt = '99213', modifier = '76', amount_cents = usd(100.00) }

return {
  rule = 'denial.duplicate_line',
  cases = {
    { name = 'one line', claim = { lines = { visit } }, expect = 'nothing' },
    { name = 'two codes', claim = { lines = { visit, { cpt = '85025' } } }, expect = 'nothing' },
    { name = 'one code twice', claim = { lines = { visit, visit } },
      expect = { probability = 0.55, line = 2, field = 'service_lines[1].cpt', amount_at_risk_cents = usd(100.00) } },
    { name = 'marked as a repeat', claim = { lines = { visit, marked, marked } }, expect = 'nothing' },
    { name = 'a separate service among modifiers',
      claim = { lines = { { modifier = 'RT:XS' }, { modifier = 'RT:XS' } } }, expect = 'nothing' },
    { name = 'two sides', claim = { lines = { { modifier = 'RT' }, { modifier = 'RT' } } }, expect = 'nothing' },
    { name = 'other modifiers do not excuse', claim = { lines = { { modifier = 'GP' }, { modifier = 'GP' } } },
      expect = { line = 2 } },
    { name = 'the same modifiers in another order',
      claim = { lines = { { modifier = 'GP:KX' }, { modifier = 'KX:GP' } } }, expect = { line = 2 } },
    { name = 'one modifier more', claim = { lines = { { modifier = 'GP' }, { modifier = 'GP:KX' } } },
      expect = 'nothing' },
    { name = 'three times is two findings', claim = { lines = { visit, visit, visit } },
      expect = { { line = 2 }, { line = 3 } } },
  },
}
