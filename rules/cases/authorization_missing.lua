return {
  rule = 'denial.authorization_missing',
  cases = {
    { name = 'not on the list', expect = 'nothing' },
    { name = 'on this payer\'s list', claim = { lines = { {}, { cpt = '00011' } } },
      expect = { probability = 0.35, line = 2, carc = '197' } },
    { name = 'on every payer\'s list', payer = { id = 'P2000' }, claim = { lines = { { cpt = '00014' } } },
      expect = { line = 1 } },
    { name = 'another payer', payer = { id = 'P2000' }, claim = { lines = { { cpt = '00011' } } }, expect = 'nothing' },
    { name = 'authorized', claim = { prior_authorization = true, lines = { { cpt = '00011' } } }, expect = 'nothing' },
    { name = 'not authorized', claim = { prior_authorization = false, lines = { { cpt = '00011' } } },
      expect = { line = 1 } },
    { name = 'before the list', claim = { date_of_service = '2023-12-31', lines = { { cpt = '00011' } } },
      expect = 'nothing' },
  },
}
