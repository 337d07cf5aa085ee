return {
  rule = 'denial.type_of_bill_missing',
  cases = {
    { name = 'an inpatient bill', claim = { claim_type = 'institutional', type_of_bill = '0111' }, expect = 'nothing' },
    { name = 'a professional claim has none', expect = 'nothing' },
    { name = 'none', claim = { claim_type = 'institutional' },
      expect = { probability = 0.90, field = 'type_of_bill', carc = '16', effect = 'reason' } },
    { name = 'lenient tenants are warned', profile = 'lenient', claim = { claim_type = 'institutional' },
      expect = { effect = 'warning' } },
    { name = 'strict tenants are refused', profile = 'strict', claim = { claim_type = 'institutional' },
      expect = { effect = 'refusal' } },
  },
}
