return {
  rule = 'denial.addon_without_primary',
  cases = {
    { name = 'no add-on', expect = 'nothing' },
    { name = 'alone', claim = { lines = { { cpt = '00020' } } },
      expect = { probability = 0.85, line = 1, carc = '107' } },
    { name = 'beside something else', claim = { lines = { {}, { cpt = '00020' } } }, expect = { line = 2 } },
    { name = 'beside its primary', claim = { lines = { { cpt = '00020' }, { cpt = '00021' } } }, expect = 'nothing' },
    { name = 'of the payer\'s own list', claim = { lines = { { cpt = '00022' } } }, expect = 'nothing' },
  },
}
