return {
  rule = 'denial.payer_changed',
  cases = {
    { name = 'nothing is known', expect = 'nothing' },
    { name = 'no payment yet', claim = { history = {} }, expect = 'nothing' },
    { name = 'another payer, last month', claim = { history = { chart_last_payer = 'P2000',
      chart_last_paid_days = 60 } }, expect = { probability = 0.25 } },
    { name = 'the same payer', claim = { history = { chart_last_payer = 'P1000', chart_last_paid_days = 10 } },
      expect = 'nothing' },
    { name = 'long ago', claim = { history = { chart_last_payer = 'P2000', chart_last_paid_days = 61 } },
      expect = 'nothing' },
  },
}
