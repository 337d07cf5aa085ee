return {
  rule = 'denial.not_paid_to_provider',
  cases = {
    { name = 'nothing is told', expect = 'nothing' },
    { name = 'all as usual',
      claim = { benefits_assigned = true, accepts_assignment = true, is_encounter = false, pay_to_plan = false, is_test = false, claim_frequency_code = '1' },
      expect = 'nothing' },
    { name = 'not assigned', claim = { benefits_assigned = false }, expect = { effect = 'warning', field = 'benefits_assigned' } },
    { name = 'assignment not accepted', claim = { accepts_assignment = false }, expect = { effect = 'warning', field = 'accepts_assignment' } },
    { name = 'an encounter', claim = { is_encounter = true }, expect = { effect = 'warning', field = 'is_encounter' } },
    { name = 'a pay-to plan', claim = { pay_to_plan = true }, expect = { effect = 'warning', field = 'pay_to_plan' } },
    { name = 'a void', claim = { claim_frequency_code = '8' }, expect = { effect = 'warning', field = 'claim_frequency_code' } },
    { name = 'a test, strict', profile = 'strict', claim = { is_test = true }, expect = { effect = 'warning', field = 'is_test' } },
    { name = 'an encounter of a test', claim = { is_test = true, is_encounter = true },
      expect = { { field = 'is_encounter' }, { field = 'is_test' } } },
  },
}
