return {
  rule = 'denial.procedure_not_payable',
  cases = {
    { name = 'a payer with its own schedule', claim = { lines = { { cpt = '00030' } } }, expect = 'nothing' },
    { name = 'a payer that follows the schedule', payer = { id = 'P4000' },
      claim = { lines = { { cpt = '00010' }, { cpt = '00030' } } },
      expect = { probability = 0.75, line = 2, carc = '96' } },
    { name = 'what the schedule pays', payer = { id = 'P4000' }, claim = { lines = { { cpt = '00010' } } },
      expect = 'nothing' },
    { name = 'what it does not know', payer = { id = 'P4000' }, expect = 'nothing' },
    { name = 'no lines', payer = { id = 'P4000' }, claim = { lines = {} }, expect = 'nothing' },
  },
}
