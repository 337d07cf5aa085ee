return {
  rule = 'denial.duplicate_likely',
  cases = {
    { name = 'nothing is known', expect = 'nothing' },
    { name = 'one like it', claim = { history = { likely_duplicates = 1 } }, expect = { probability = 0.50 } },
    { name = 'the exact rule has it already', claim = { duplicates = 1, history = { likely_duplicates = 1 } }, expect = 'nothing' },
    { name = 'a replacement', claim = { claim_frequency_code = '7', history = { likely_duplicates = 1 } }, expect = 'nothing' },
  },
}
