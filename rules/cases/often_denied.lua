return {
  rule = 'denial.often_denied',
  cases = {
    { name = 'nothing is known', expect = 'nothing' },
    { name = 'far more often than others',
      claim = { history = { payer_denied_bps = 1000 },
        lines = { { history = { responses = 20, denied_bps = 4200, denied_low_bps = 3000, top_carc = '50' } } } },
      expect = { probability = 0.42, line = 1, carc = '50' } },
    { name = 'not surely', claim = { history = { payer_denied_bps = 1000 },
      lines = { { history = { responses = 20, denied_bps = 4200, denied_low_bps = 2999 } } } }, expect = 'nothing' },
    { name = 'too few answers', claim = { history = { payer_denied_bps = 1000 },
      lines = { { history = { responses = 19, denied_bps = 9000, denied_low_bps = 8000 } } } }, expect = 'nothing' },
  },
}
