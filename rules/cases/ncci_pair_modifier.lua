return {
  rule = 'denial.ncci_pair_modifier',
  cases = {
    { name = 'a pair', claim = { lines = { { cpt = '00010' }, { cpt = '00012' } } },
      expect = { probability = 0.75, line = 2, carc = '236' } },
    { name = 'set apart on the second', claim = { lines = { { cpt = '00010' }, { cpt = '00012', modifier = 'XS' } } },
      expect = 'nothing' },
    { name = 'or on the first', claim = { lines = { { cpt = '00010', modifier = 'LT' }, { cpt = '00012' } } },
      expect = 'nothing' },
    { name = 'another modifier does not help', claim = { lines = { { cpt = '00010' },
      { cpt = '00012', modifier = 'GP' } } }, expect = { line = 2 } },
    { name = 'a pair that is never paid is another rule\'s',
      claim = { lines = { { cpt = '00010' }, { cpt = '00011' } } }, expect = 'nothing' },
    { name = 'a payer that does not follow the edits', payer = { id = 'P3000' },
      claim = { lines = { { cpt = '00010' }, { cpt = '00012' } } }, expect = 'nothing' },
  },
}
