return {
  rule = 'denial.new_patient_known',
  cases = {
    { name = 'nothing is known', claim = { lines = { { cpt = '99203' } } }, expect = 'nothing' },
    { name = 'seen before', claim = { lines = { {}, { cpt = '99203' } },
      history = { chart_seen_by_servicer = true } }, expect = { probability = 0.75, line = 2, carc = 'B16' } },
    { name = 'never seen', claim = { lines = { { cpt = '99203' } }, history = {} }, expect = 'nothing' },
    { name = 'billed as established', claim = { lines = { { cpt = '99213' } },
      history = { chart_seen_by_servicer = true } }, expect = 'nothing' },
  },
}
