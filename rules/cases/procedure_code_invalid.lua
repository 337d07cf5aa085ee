return {
  rule = 'denial.procedure_code_invalid',
  cases = {
    { name = 'a code that the table does not hold', params = { code_table_is_whole = false }, expect = 'nothing' },
    { name = 'a whole table holds every code', params = { code_table_is_whole = true }, expect = { line = 1 } },
    { name = 'in force', claim = { lines = { { cpt = '00010' } } }, expect = 'nothing' },
    { name = 'ended', claim = { lines = { { cpt = '00010' }, { cpt = '00015' } } },
      expect = { probability = 0.90, line = 2, field = 'service_lines[1].cpt' } },
    { name = 'on its last day', claim = { date_of_service = '2025-12-31', lines = { { cpt = '00015' } } },
      expect = 'nothing' },
    { name = 'not yet in force', claim = { lines = { { cpt = '00016' } } }, expect = { line = 1 } },
    { name = 'without a day of service today counts',
      claim = { date_of_service = false, lines = { { cpt = '00015' } } }, expect = { line = 1 } },
    { name = 'no lines', claim = { lines = {} }, expect = 'nothing' },
  },
}
