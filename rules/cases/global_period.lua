return {
  rule = 'denial.global_period',
  cases = {
    { name = 'nothing is known', expect = 'nothing' },
    { name = 'inside', claim = { history = { days_since_surgery = 10, surgery_global_days = 10 } },
      expect = { probability = 0.55, line = 1 } },
    { name = 'behind', claim = { history = { days_since_surgery = 11, surgery_global_days = 10 } },
      expect = 'nothing' },
    { name = 'unrelated', claim = { lines = { { modifier = '24' } },
      history = { days_since_surgery = 5, surgery_global_days = 90 } }, expect = 'nothing' },
    { name = 'no visit', claim = { lines = { { cpt = '00010' } },
      history = { days_since_surgery = 5, surgery_global_days = 90 } }, expect = 'nothing' },
  },
}
