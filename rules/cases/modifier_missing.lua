return {
  rule = 'denial.modifier_missing',
  cases = {
    { name = 'not on the list', expect = 'nothing' },
    { name = 'missing', claim = { lines = { {}, { cpt = '97110' } } }, expect = { probability = 0.45, line = 2, carc = '4', field = 'service_lines[1].modifier' } },
    { name = 'one of several', claim = { lines = { { cpt = '97110', modifier = 'GO' } } }, expect = 'nothing' },
    { name = 'behind another one', claim = { lines = { { cpt = '97110', modifier = '59:GP' } } }, expect = 'nothing' },
    { name = 'another modifier', claim = { lines = { { cpt = '97110', modifier = '59' } } }, expect = { line = 1 } },
    { name = 'of another plan of care', claim = { lines = { { cpt = '97161', modifier = 'GO' } } }, expect = { line = 1 } },
    { name = 'a payer that asks for none', payer = { id = 'P2000' }, claim = { lines = { { cpt = '97110' } } }, expect = 'nothing' },
    { name = 'a payer without a row of its own', payer = { id = 'P2000' }, claim = { lines = { { cpt = '97112' } } }, expect = { line = 1 } },
    { name = 'before it was asked for', claim = { date_of_service = '2023-12-31', lines = { { cpt = '00015' } } }, expect = 'nothing' },
    { name = 'since it is asked for', claim = { lines = { { cpt = '00015' } } }, expect = { line = 1 } },
    { name = 'and has it', claim = { lines = { { cpt = '00015', modifier = 'LT' } } }, expect = 'nothing' },
  },
}
