return {
  rule = 'denial.diagnosis_invalid',
  cases = {
    { name = 'none', expect = 'nothing' },
    { name = 'well formed', claim = { diagnosis_codes = { 'E119', 'Z0000' } }, expect = 'nothing' },
    { name = 'a whole table holds every diagnosis', params = { diagnosis_table_is_whole = true },
      claim = { diagnosis_codes = { 'E119' } }, expect = {} },
    { name = 'too short', claim = { diagnosis_codes = { 'E119', 'E1' } },
      expect = { probability = 0.70, field = 'diagnosis_codes', carc = '146' } },
    { name = 'too long', claim = { diagnosis_codes = { 'E1190000' } }, expect = {} },
    { name = 'in the table', claim = { diagnosis_codes = { 'ZZ10' } }, expect = 'nothing' },
    { name = 'ended', claim = { diagnosis_codes = { 'ZZ11' } }, expect = { probability = 0.70 } },
    { name = 'before its end', claim = { diagnosis_codes = { 'ZZ11' }, date_of_service = '2025-09-30' },
      expect = 'nothing' },
  },
}
