-- Above 99.5 % of what this provider charged for the procedure.
return {
  id = 'denial.charge_unusual', rev = 1, mode = 'live',
  family = 'balance',
  reason = { group = 'CO', code = '16', carc = '16' },
  weight = 0.40, strength = 20, severity = 'moderate',
  summary = 'A charge is far above what the provider usually asks',
  fix = 'Check units and amount of the line for a slip.',
  field = 'service_lines[].amount',
  needs = { 'lines', 'history' },
  each = 'line',

  evaluate = function(line)
    return line.history.charge_is_unusual
  end,
}
