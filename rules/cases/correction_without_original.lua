return {
  rule = 'denial.correction_without_original',
  cases = {
    { name = 'an original', claim = { claim_frequency_code = '1', history = {} }, expect = 'nothing' },
    { name = 'a replacement of nothing', claim = { claim_frequency_code = '7', history = {} },
      expect = { probability = 0.15, effect = 'warning' } },
    { name = 'a replacement', claim = { claim_frequency_code = '7', history = { likely_duplicates = 1 } },
      expect = 'nothing' },
    { name = 'nothing is known', claim = { claim_frequency_code = '7' }, expect = 'nothing' },
    { name = 'not stated', claim = { history = {} }, expect = 'nothing' },
  },
}
