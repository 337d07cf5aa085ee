return {
  rule = 'denial.visit_modifier_missing',
  cases = {
    { name = 'a visit alone', expect = 'nothing' },
    { name = 'beside a small procedure', claim = { lines = { { cpt = '99213' }, { cpt = '00010' } } },
      expect = { probability = 0.50, line = 1, field = 'service_lines[0].modifier' } },
    { name = 'set apart', claim = { lines = { { cpt = '99213', modifier = '25' }, { cpt = '00010' } } },
      expect = 'nothing' },
    { name = 'a large procedure wants another modifier',
      claim = { lines = { { cpt = '99213', modifier = '25' }, { cpt = '00011' } } }, expect = { line = 1 } },
    { name = 'and has it', claim = { lines = { { cpt = '99213', modifier = '57' }, { cpt = '00011' } } },
      expect = 'nothing' },
    { name = 'a procedure without global period', claim = { lines = { { cpt = '99213' }, { cpt = '00012' } } },
      expect = 'nothing' },
  },
}
