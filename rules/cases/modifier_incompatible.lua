return {
  rule = 'denial.modifier_incompatible',
  cases = {
    { name = 'none', expect = 'nothing' },
    { name = 'a procedure that the schedule does not know', claim = { lines = { { cpt = '99213', modifier = '50' } } }, expect = 'nothing' },
    { name = 'parts of a procedure that has none', claim = { lines = { { cpt = '00010', modifier = '26' } } }, expect = { probability = 0.65, line = 1, carc = '4' } },
    { name = 'parts of one that has them', claim = { lines = { { cpt = '00013', modifier = '26' }, { cpt = '00013', modifier = 'TC' } } }, expect = 'nothing' },
    { name = 'both sides of one that has one', claim = { lines = { { cpt = '00013', modifier = '50' } } }, expect = { line = 1 } },
    { name = 'both sides of one that has two', claim = { lines = { { cpt = '00010', modifier = '50' } } }, expect = 'nothing' },
    { name = 'an assistant who is never paid', claim = { lines = { {}, { cpt = '00014', modifier = '59:AS' } } }, expect = { line = 2 } },
    { name = 'two surgeons where one is paid', claim = { lines = { { cpt = '00014', modifier = '62' } } }, expect = { line = 1 } },
  },
}
