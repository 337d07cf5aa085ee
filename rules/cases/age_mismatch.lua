return {
  rule = 'denial.age_mismatch',
  cases = {
    { name = 'not stated', claim = { lines = { { cpt = '00018' } } }, expect = 'nothing' },
    { name = 'too old', claim = { patient_age_from = 40, patient_age_to = 49, lines = { {}, { cpt = '00018' } } },
      expect = { probability = 0.70, line = 2, carc = '6' } },
    { name = 'young enough', claim = { patient_age_from = 0, patient_age_to = 17, lines = { { cpt = '00018' } } },
      expect = 'nothing' },
    { name = 'perhaps young enough', claim = { patient_age_from = 15, patient_age_to = 24,
      lines = { { cpt = '00018' } } }, expect = 'nothing' },
    { name = 'a code for everybody', claim = { patient_age_from = 40, patient_age_to = 49 }, expect = 'nothing' },
  },
}
