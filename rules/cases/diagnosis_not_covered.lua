return {
  rule = 'denial.diagnosis_not_covered',
  cases = {
    { name = 'no diagnosis is known', claim = { lines = { { cpt = '00012' } } }, expect = 'nothing' },
    { name = 'a procedure without a list', claim = { diagnosis_codes = { 'E119' } }, expect = 'nothing' },
    { name = 'none that supports it', claim = { diagnosis_codes = { 'E119' }, lines = { {}, { cpt = '00012' } } },
      expect = { probability = 0.60, line = 2, carc = '50' } },
    { name = 'one that begins as listed', claim = { diagnosis_codes = { 'E119', 'ZZ10' },
      lines = { { cpt = '00012' } } }, expect = 'nothing' },
  },
}
