return {
  rule = 'denial.sex_mismatch',
  cases = {
    { name = 'not stated', claim = { lines = { { cpt = '00017' } } }, expect = 'nothing' },
    { name = 'of the other sex', claim = { patient_sex = 'M', lines = { { cpt = '00017' } } },
      expect = { probability = 0.80, line = 1, carc = '7' } },
    { name = 'of this sex', claim = { patient_sex = 'F', lines = { { cpt = '00017' } } }, expect = 'nothing' },
    { name = 'unknown', claim = { patient_sex = 'U', lines = { { cpt = '00017' } } }, expect = 'nothing' },
    { name = 'a code for everybody', claim = { patient_sex = 'M', lines = { { cpt = '00010' } } }, expect = 'nothing' },
  },
}
