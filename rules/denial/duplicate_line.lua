local lines = lib('lines')

return {
  id = 'denial.duplicate_line', rev = 1, mode = 'live',
  family = 'duplicate',
  reason = { group = 'OA', code = '18', carc = '18' },
  summary = 'The same service stands on the claim twice',
  fix = 'Bill one line with more units, or add modifier 76, 77, 91, 59 or an X modifier to a true repeat.',
  field = 'service_lines[].cpt',

  evaluate = function(claim)
    local seen, found = {}, {}
    for i, line in ipairs(claim.lines) do
      local service = line.cpt .. '|' .. line.modifier
      if seen[service] and not lines.repeats_on_purpose(line.modifier) then
        found[#found + 1] = { probability = 0.55, line = i }
      end
      seen[service] = true
    end
    return found
  end,
}
