return {
  rule = 'denial.duplicate',
  cases = {
    { name = 'nothing like it before', expect = 'nothing' },
    { name = 'one like it before', claim = { duplicates = 1 }, expect = { probability = 0.90 } },
  },
}
