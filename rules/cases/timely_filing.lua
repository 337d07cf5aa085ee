return {
  rule = 'denial.timely_filing',
  cases = {
    { name = 'on the last day', payer = { timely_filing_days = 90 },
      claim = { date_of_service = '2026-01-01', date_of_submission = '2026-04-01' }, expect = 'nothing' },
    { name = 'one day late', payer = { timely_filing_days = 90 },
      claim = { date_of_service = '2026-01-01', date_of_submission = '2026-04-02' },
      expect = { probability = 0.95, effect = 'reason', field = 'date_of_service', carc = '29' } },
    { name = 'not submitted yet and late today', today = '2026-06-15', payer = { timely_filing_days = 90 },
      claim = { date_of_service = '2026-01-01', date_of_submission = false }, expect = { probability = 0.95 } },
    { name = 'no service date', claim = { date_of_service = false }, expect = 'nothing' },
    { name = 'the table knows a limit of this payer', payer = { id = 'P2000', timely_filing_days = 365 },
      claim = { date_of_service = '2026-01-01', date_of_submission = '2026-04-02' }, expect = { probability = 0.95 } },
    { name = 'without lines', payer = { timely_filing_days = 5 }, claim = { lines = {} },
      expect = { field = 'date_of_service' } },
  },
}
