return {
  rule = 'denial.distinct_modifier_overused',
  cases = {
    { name = 'nothing is known', claim = { lines = { { modifier = '59' } } }, expect = 'nothing' },
    { name = 'more than others', claim = { lines = { {}, { modifier = 'RT:XS' } }, history = { distinct_modifier_bps = 3001, distinct_modifier_usual_bps = 3000 } },
      expect = { probability = 0.20, line = 2 } },
    { name = 'as others', claim = { lines = { { modifier = '59' } }, history = { distinct_modifier_bps = 3000, distinct_modifier_usual_bps = 3000 } }, expect = 'nothing' },
    { name = 'not on this claim', claim = { history = { distinct_modifier_bps = 3001, distinct_modifier_usual_bps = 3000 } }, expect = 'nothing' },
  },
}
