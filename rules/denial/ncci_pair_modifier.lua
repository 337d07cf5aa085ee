-- NCCI: the second procedure of the pair is paid beside the first only with a modifier on one of them.
local lines, ncci = lib('lines'), lib('ncci')

return {
  id = 'denial.ncci_pair_modifier', rev = 2, mode = 'live',
  family = 'bundling',
  reason = { group = 'CO', code = '236', carc = '236' },
  weight = 0.75, strength = 40, severity = 'strong',
  summary = 'Two procedures are paid together only with a modifier',
  fix = 'Add the modifier that says what was separate, if it was; else bill the first one only.',
  field = 'service_lines[].cpt',
  needs = { 'lines' },
  each = 'line',
  claim_type = 'professional',

  evaluate = function(line, claim, payer)
    local parts = ncci.parts_of(line, claim, payer, '1')
    if not parts or lines.lifts_edit(line.modifier) then return nil end
    local found = {}
    for i = 1, #parts do
      local part = parts[i]
      if not lines.lifts_edit(part.modifier) then found[#found + 1] = { line = part.number } end
    end
    return #found > 0 and found or nil
  end,
}
