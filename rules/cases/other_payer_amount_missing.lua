return {
  rule = 'denial.other_payer_amount_missing',
  cases = {
    { name = 'nothing is stated', expect = 'nothing' },
    { name = 'the primary payer', claim = { payer_sequence = 'primary' }, expect = 'nothing' },
    { name = 'the second payer', claim = { payer_sequence = 'secondary' },
      expect = { probability = 0.40, effect = 'reason', field = 'paid_by_others' } },
    { name = 'the third payer, lenient', profile = 'lenient', claim = { payer_sequence = 'tertiary' },
      expect = { effect = 'warning' } },
    { name = 'the second payer, strict', profile = 'strict', claim = { payer_sequence = 'secondary' },
      expect = { effect = 'refusal' } },
    { name = 'the first payer paid nothing', claim = { payer_sequence = 'secondary', paid_by_others_cents = 0 },
      expect = 'nothing' },
    { name = 'the first payer paid', claim = { payer_sequence = 'secondary', paid_by_others_cents = usd(600.00) },
      expect = 'nothing' },
  },
}
