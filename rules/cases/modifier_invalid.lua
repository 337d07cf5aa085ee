return {
  rule = 'denial.modifier_invalid',
  cases = {
    { name = 'none', expect = 'nothing' },
    { name = 'four', claim = { lines = { { modifier = '25:59:RT:LT' } } }, expect = 'nothing' },
    { name = 'one character', claim = { lines = { { modifier = '2' } } },
      expect = { probability = 0.70, line = 1, field = 'service_lines[0].modifier' } },
    { name = 'five', claim = { lines = { { modifier = '25:59:RT:LT:76' } } }, expect = { line = 1 } },
  },
}
