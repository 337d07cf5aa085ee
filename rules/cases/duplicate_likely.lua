return {
  rule = 'denial.duplicate_likely',
  cases = {
    { name = 'nothing is known', expect = 'nothing' },
    { name = 'one like it', claim = { history = { likely_duplicates = 1 } }, expect = { probability = 0.50 } },
    { name = 'the exact rule has it already', claim = { duplicates = 1, history = { likely_duplicates = 1 } },
      expect = 'nothing' },
    { name = 'the same without a day of service, long ago',
      claim = { duplicates = 1, date_of_service = false, history = { likely_duplicates = 0 } }, expect = 'nothing' },
    { name = 'the same without a day of service, of late',
      claim = { duplicates = 1, date_of_service = false,
      history = { likely_duplicates = 1 } }, expect = { probability = 0.50 } },
    { name = 'the same without a day of service, and no history', claim = { duplicates = 1, date_of_service = false },
      expect = { probability = 0.50 } },
    { name = 'a replacement', claim = { claim_frequency_code = '7', history = { likely_duplicates = 1 } },
      expect = 'nothing' },
  },
}
