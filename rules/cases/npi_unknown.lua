return {
  rule = 'denial.npi_unknown',
  cases = {
    { name = 'both are registered', expect = 'nothing' },
    { name = 'an extract need not hold everybody', claim = { billing_npi = '1000000020' }, expect = 'nothing' },
    { name = 'a whole registry holds everybody', params = { npi_list_is_whole = true },
      claim = { billing_npi = '1000000020' }, expect = { field = 'billing_npi' } },
    { name = 'deactivated', claim = { billing_npi = '1000000004' },
      expect = { probability = 0.80, field = 'billing_npi', carc = '208' } },
    { name = 'deactivated later than the service', claim = { billing_npi = '1000000004',
      date_of_service = '2020-06-29' }, expect = 'nothing' },
    { name = 'reactivated since', claim = { billing_npi = '1000000012' }, expect = 'nothing' },
    { name = 'without a day of service today counts', claim = { billing_npi = '1000000004', date_of_service = false },
      expect = { field = 'billing_npi' } },
  },
}
