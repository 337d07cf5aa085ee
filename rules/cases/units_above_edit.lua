return {
  rule = 'denial.units_above_edit',
  cases = {
    { name = 'a procedure without edit', claim = { lines = { { units_milli = 99000 } } }, expect = 'nothing' },
    { name = 'as many as may be', claim = { lines = { { cpt = '00012', units_milli = 2000 } } }, expect = 'nothing' },
    { name = 'one line has more', claim = { lines = { { cpt = '00012', units_milli = 2500 } } },
      expect = { probability = 0.85, line = 1, field = 'service_lines[0].units' } },
    { name = 'lines are counted one by one', claim = { lines = { { cpt = '00012', units_milli = 2000 },
      { cpt = '00012', units_milli = 2000 } } }, expect = 'nothing' },
    { name = 'or together, for the day', claim = { lines = { { cpt = '00010' }, { cpt = '00010' } } },
      expect = { probability = 0.95, line = 2 } },
    { name = 'what can be appealed is less sure', claim = { lines = { { cpt = '00013', units_milli = 2000 } } },
      expect = { probability = 0.75, carc = '151' } },
    { name = 'no lines', claim = { lines = {} }, expect = 'nothing' },
  },
}
