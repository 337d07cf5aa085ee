return {
  rule = 'denial.npi_check_digit',
  cases = {
    { name = 'both identifiers pass', expect = 'nothing' },
    { name = 'the servicing one fails', claim = { servicer_npi = '1234567890' },
      expect = { probability = 0.90, field = 'servicer_npi', effect = 'reason', carc = '207' } },
    { name = 'both fail', claim = { servicer_npi = '1234567890', billing_npi = '2000000000' },
      expect = { { field = 'servicer_npi' }, { field = 'billing_npi' } } },
    { name = 'what begins with 3 is another rule\'s', claim = { billing_npi = '3000000000' }, expect = 'nothing' },
    { name = 'lenient tenants are warned', profile = 'lenient', claim = { billing_npi = '1234567890' },
      expect = { effect = 'warning' } },
    { name = 'strict tenants are refused', profile = 'strict', claim = { billing_npi = '1234567890' },
      expect = { effect = 'refusal' } },
  },
}
