return {
  rule = 'denial.payer_unknown',
  cases = {
    { name = 'a known payer', expect = 'nothing' },
    { name = 'an unknown payer', payer = { known = false }, expect = { effect = 'reason', confidence_cap = 0.40 } },
    { name = 'an unknown payer that is nearly a known one', payer = { known = false, near_id = '62308' },
      expect = { effect = 'reason', confidence_cap = 0.40 } },
    { name = 'an unknown payer, lenient', profile = 'lenient', payer = { known = false },
      expect = { effect = 'warning', confidence_cap = 0.75 } },
    { name = 'an unknown payer, strict', profile = 'strict', payer = { known = false },
      expect = { effect = 'refusal' } },
  },
}
