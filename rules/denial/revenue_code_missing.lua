-- UB-04 FL 42, 837I SV201: each line of an institutional claim has one, beside its procedure if any.
return {
  id = 'denial.revenue_code_missing', rev = 1, mode = 'live',
  family = 'institutional',
  reason = { group = 'CO', code = 'REVENUE_CODE_MISSING', carc = '16' },
  weight = 0.90, strength = 30, severity = 'high',
  summary = 'A line of an institutional claim has no revenue code',
  fix = 'Send the revenue code of each line, such as 0450.',
  field = 'service_lines[].revenue_code',
  needs = { 'lines' },
  profiles = { lenient = 'warning', standard = 'reason', strict = 'refusal' },
  each = 'line',
  claim_type = 'institutional',

  evaluate = function(line)
    return line.revenue_code == nil
  end,
}
