return {
  rule = 'denial.procedure_bundled',
  cases = {
    { name = 'beside a visit', payer = { id = 'P4000' }, claim = { lines = { {}, { cpt = '00031' } } },
      expect = { probability = 0.80, line = 2, carc = '97' } },
    { name = 'alone', payer = { id = 'P4000' }, claim = { lines = { { cpt = '00031' } } }, expect = 'nothing' },
    { name = 'a payer with its own schedule', claim = { lines = { {}, { cpt = '00031' } } }, expect = 'nothing' },
    { name = 'twice and nothing else', payer = { id = 'P4000' },
      claim = { lines = { { cpt = '00031' }, { cpt = '00031' } } }, expect = 'nothing' },
  },
}
