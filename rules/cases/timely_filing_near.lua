return {
  rule = 'denial.timely_filing_near',
  cases = {
    { name = 'in time', expect = 'nothing' },
    { name = 'on the last day', payer = { timely_filing_days = 7 },
      expect = { probability = 0.10, effect = 'warning' } },
    { name = 'a week before it', payer = { timely_filing_days = 14 }, expect = 'nothing' },
    { name = 'too late is another rule\'s', payer = { timely_filing_days = 6 }, expect = 'nothing' },
    { name = 'no service date', claim = { date_of_service = false }, payer = { timely_filing_days = 7 },
      expect = 'nothing' },
  },
}
