return {
  rule = 'denial.npi_format',
  cases = {
    { name = 'both are well formed', expect = 'nothing' },
    { name = 'a check digit is another rule\'s', claim = { servicer_npi = '1234567890' }, expect = 'nothing' },
    { name = 'one begins with 3', claim = { billing_npi = '3000000000' },
      expect = { probability = 0.95, field = 'billing_npi', carc = '207' } },
    { name = 'both do', claim = { servicer_npi = '0000000000', billing_npi = '3000000000' },
      expect = { { field = 'servicer_npi' }, { field = 'billing_npi' } } },
    { name = 'lenient tenants are warned', profile = 'lenient', claim = { billing_npi = '3000000000' },
      expect = { effect = 'warning' } },
    { name = 'with required fields only', claim = { billing_npi = '3000000000', lines = {}, date_of_service = false,
      date_of_submission = false },
      expect = { field = 'billing_npi' } },
  },
}
