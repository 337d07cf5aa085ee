return {
  rule = 'denial.procedure_code_format',
  cases = {
    { name = 'no lines', claim = { lines = {} }, expect = 'nothing' },
    { name = 'a line without a code', claim = { lines = { { cpt = '' } } }, expect = 'nothing' },
    { name = 'the known forms', expect = 'nothing',
      claim = { lines = { { cpt = '99213' }, { cpt = '0001F' }, { cpt = '0042T' }, { cpt = '0001U' },
        { cpt = 'J1100' } } } },
    { name = 'letters only', claim = { lines = { { cpt = '99213' }, { cpt = 'ABCDE' } } },
      expect = { probability = 0.95, line = 2, field = 'service_lines[1].cpt' } },
    { name = 'too short, strict', profile = 'strict', claim = { lines = { { cpt = '9921' } } },
      expect = { effect = 'refusal', line = 1 } },
  },
}
