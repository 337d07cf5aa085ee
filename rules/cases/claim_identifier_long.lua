return {
  rule = 'denial.claim_identifier_long',
  cases = {
    { name = 'seventeen characters', claim = { claim_identifier = '12345678901234567' }, expect = 'nothing' },
    { name = 'eighteen characters', claim = { claim_identifier = '123456789012345678' },
      expect = { effect = 'warning' } },
    { name = 'strict tenants are only warned', profile = 'strict', claim = { claim_identifier = '123456789012345678' },
      expect = { effect = 'warning' } },
  },
}
