return {
  rule = 'denial.claim_identifier_spreadsheet',
  cases = {
    { name = 'a power of ten', claim = { claim_identifier = '2.12345E+11' }, expect = { effect = 'warning' } },
    { name = 'with a comma', claim = { claim_identifier = '2,1e+9' }, expect = { effect = 'warning' } },
    { name = 'without a fraction', claim = { claim_identifier = '2E+11' }, expect = { effect = 'warning' } },
    { name = 'a number', claim = { claim_identifier = '212345678901' }, expect = 'nothing' },
    { name = 'letters between digits', claim = { claim_identifier = '21E11' }, expect = 'nothing' },
  },
}
