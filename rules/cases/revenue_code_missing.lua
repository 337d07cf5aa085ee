return {
  rule = 'denial.revenue_code_missing',
  cases = {
    { name = 'with and without a procedure', claim = { claim_type = 'institutional',
      lines = { { revenue_code = '0450', cpt = '99284' }, { revenue_code = '0250', cpt = '' } } }, expect = 'nothing' },
    { name = 'a professional line has none', claim = { lines = { { cpt = '99213' } } }, expect = 'nothing' },
    { name = 'one line without', claim = { claim_type = 'institutional',
      lines = { { revenue_code = '0450' }, { cpt = '99284', amount_cents = usd(120.00) } } },
      expect = { probability = 0.90, line = 2, field = 'service_lines[1].revenue_code', carc = '16',
        amount_at_risk_cents = usd(120.00) } },
    { name = 'lenient tenants are warned', profile = 'lenient', claim = { claim_type = 'institutional',
      lines = { { cpt = '99284' } } }, expect = { effect = 'warning' } },
    { name = 'strict tenants are refused', profile = 'strict', claim = { claim_type = 'institutional',
      lines = { { cpt = '99284' } } }, expect = { effect = 'refusal' } },
  },
}
