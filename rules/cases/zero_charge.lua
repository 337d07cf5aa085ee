return {
  rule = 'denial.zero_charge',
  cases = {
    { name = 'a cent', claim = { amount_cents = 1 }, expect = 'nothing' },
    { name = 'nothing asked', claim = { amount_cents = 0 }, expect = { probability = 0.85, effect = 'reason' } },
    { name = 'nothing asked, strict', profile = 'strict', claim = { amount_cents = 0 },
      expect = { effect = 'refusal' } },
  },
}
