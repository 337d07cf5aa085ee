return {
  rule = 'denial.service_in_future',
  cases = {
    { name = 'served before it was submitted', expect = 'nothing' },
    { name = 'on the same day', claim = { date_of_service = '2026-06-08', date_of_submission = '2026-06-08' },
      expect = 'nothing' },
    { name = 'tomorrow', claim = { date_of_service = '2026-06-16', date_of_submission = false },
      expect = { probability = 0.92, carc = '110' } },
    { name = 'submitted before', claim = { date_of_service = '2026-06-09', date_of_submission = '2026-06-08' },
      expect = { field = 'date_of_service' } },
    { name = 'no service date', claim = { date_of_service = false }, expect = 'nothing' },
  },
}
