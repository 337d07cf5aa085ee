local lines = lib('lines')

return {
  id = 'denial.duplicate_line', rev = 4, mode = 'live',
  family = 'duplicate',
  reason = { group = 'OA', code = '18', carc = '18' },
  weight = 0.55, strength = 30, severity = 'strong',
  summary = 'The same service stands on the claim twice',
  fix = 'Bill one line with more units, or add modifier 76, 77, 91, 59, an X modifier or the side to a true repeat.',
  field = 'service_lines[].cpt',
  needs = { 'lines' },
  each = 'line',
  claim_type = 'professional',

  evaluate = function(line)
    return line.same_as ~= nil and not lines.repeats_on_purpose(line.modifier)
  end,
}
