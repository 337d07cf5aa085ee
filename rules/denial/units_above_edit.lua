-- CMS MUE: indicator 1 counts one line; 2 (policy, absolute) and 3 (clinical, can be appealed) all lines of the code.
local mue = table('mue')
local chance = { ['2'] = 0.95, ['3'] = 0.75 }  -- else the rule's weight

return {
  id = 'denial.units_above_edit', rev = 2, mode = 'live',
  family = 'units',
  reason = { group = 'CO', code = '151', carc = '151' },
  weight = 0.85, strength = 40, severity = 'high',
  summary = 'More units than anybody has on one day',
  fix = 'Correct the units, or send what documents them.',
  field = 'service_lines[].units',
  needs = { 'lines' },
  each = 'line',
  claim_type = 'professional',

  evaluate = function(line, claim)
    local code = line.cpt
    local row = mue.get(code)
    if not row then return nil end
    local indicator, units = row.indicator, line.units_milli
    if indicator ~= '1' then
      local all = claim.lines
      for i = 1, line.number - 1 do
        local other = all[i]
        if other.cpt == code then units = units + other.units_milli end
      end
    end
    if units > row.units * 1000 then return { probability = chance[indicator], line = line.number } end
  end,
}
