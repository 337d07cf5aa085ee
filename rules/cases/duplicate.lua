return {
  rule = 'denial.duplicate',
  cases = {
    { name = 'nothing like it before', expect = 'nothing' },
    { name = 'one like it before', claim = { duplicates = 1 }, expect = { probability = 0.90, carc = '18' } },
    { name = 'without a day of service it may be the next visit', claim = { duplicates = 1, date_of_service = false },
      expect = 'nothing' },
    { name = 'an original', claim = { duplicates = 1, claim_frequency_code = '1' }, expect = { probability = 0.90 } },
    { name = 'a replacement', claim = { duplicates = 1, claim_frequency_code = '7' }, expect = 'nothing' },
  },
}
