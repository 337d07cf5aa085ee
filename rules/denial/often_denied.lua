-- Even the cautious end of what this payer denies of this procedure is at least three times what it denies of all.
return {
  id = 'denial.often_denied', rev = 1, mode = 'live',
  family = 'history',
  reason = { group = 'CO', code = 'OFTEN_DENIED' },
  weight = 0.50, strength = 20, severity = 'moderate',
  summary = 'This payer denies this procedure often',
  fix = 'See what the payer asked for in earlier denials of the procedure.',
  field = 'service_lines[].cpt',
  needs = { 'lines', 'history' },
  each = 'line',

  evaluate = function(line)
    local history = line.history
    if history.denied_low_times < 3 or history.responses < 20 then return nil end
    return { probability = history.denied_bps / 10000, carc = history.top_carc }
  end,
}
