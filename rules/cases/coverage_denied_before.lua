return {
  rule = 'denial.coverage_denied_before',
  cases = {
    { name = 'nothing is known', expect = 'nothing' },
    { name = 'never denied', claim = { history = { payer_responses = 100 } }, expect = 'nothing' },
    { name = 'denied once', claim = { history = { chart_eligibility_denials = 1 } },
      expect = { probability = 0.60, carc = '27' } },
  },
}
