return {
  rule = 'denial.claim_identifier_cut',
  cases = {
    { name = 'twenty characters', claim = { claim_identifier = '12345678901234567890' }, expect = 'nothing' },
    { name = 'twenty-one characters', claim = { claim_identifier = '123456789012345678901' },
      expect = { effect = 'warning' } },
    { name = 'strict tenants are only warned', profile = 'strict',
      claim = { claim_identifier = '123456789012345678901' },
      expect = { effect = 'warning' } },
  },
}
