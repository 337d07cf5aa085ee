return {
  rule = 'denial.charge_unusual',
  cases = {
    { name = 'nothing is known', expect = 'nothing' },
    { name = 'more than ever', claim = { lines = { {},
      { amount_cents = 50001,
      history = { unusual_charge_cents = 50000 } } } }, expect = { probability = 0.40, line = 2 } },
    { name = 'as much as it was', claim = { lines = { { amount_cents = 50000,
      history = { unusual_charge_cents = 50000 } } } }, expect = 'nothing' },
    { name = 'no amount', claim = { lines = { { history = { unusual_charge_cents = 50000 } } } }, expect = 'nothing' },
  },
}
