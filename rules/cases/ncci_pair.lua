return {
  rule = 'denial.ncci_pair',
  cases = {
    { name = 'one line', claim = { lines = { { cpt = '00011' } } }, expect = 'nothing' },
    { name = 'a pair', claim = { lines = { { cpt = '00011' }, { cpt = '99213' }, { cpt = '00010' } } },
      expect = { probability = 0.92, line = 1, carc = '236' } },
    { name = 'a modifier does not help', claim = { lines = { { cpt = '00010' },
      { cpt = '00011', modifier = '59' } } }, expect = { line = 2 } },
    { name = 'an edit that ended', claim = { lines = { { cpt = '00010' }, { cpt = '00013' } } }, expect = 'nothing' },
    { name = 'in its last days', claim = { date_of_service = '2024-12-31',
      lines = { { cpt = '00010' }, { cpt = '00013' } } }, expect = { line = 2 } },
    { name = 'a payer that does not follow the edits', payer = { id = 'P3000' },
      claim = { lines = { { cpt = '00010' }, { cpt = '00011' } } }, expect = 'nothing' },
    { name = 'no lines', claim = { lines = {} }, expect = 'nothing' },
  },
}
