return {
  rule = 'denial.provider_never_paid',
  cases = {
    { name = 'nothing is known', expect = 'nothing' },
    { name = 'fifteen answers, none paid', claim = { history = { pair_responses = 15 } },
      expect = { probability = 0.70, carc = 'B7' } },
    { name = 'one was paid', claim = { history = { pair_responses = 15, pair_paid = 1 } }, expect = 'nothing' },
    { name = 'too few answers', claim = { history = { pair_responses = 14 } }, expect = 'nothing' },
  },
}
