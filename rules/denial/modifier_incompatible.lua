-- What the fee schedule says of the procedure: PC/TC, bilateral, assistant and co-surgeon indicators.
local pfs = table('pfs')
local no_parts = { ['0'] = true, ['2'] = true, ['3'] = true, ['4'] = true, ['9'] = true }
local not_bilateral = { ['0'] = true, ['2'] = true, ['9'] = true }
local assistant = { ['80'] = true, ['81'] = true, ['82'] = true, AS = true }

local function refused(modifier, row)
  for at = 1, #modifier, 3 do
    local one = modifier:sub(at, at + 1)
    if (one == '26' or one == 'TC') and no_parts[row.pctc] then return true end
    if one == '50' and not_bilateral[row.bilat] then return true end
    if assistant[one] and row.asst == '1' then return true end
    if one == '62' and row.cosurg == '0' then return true end
  end
  return false
end

return {
  id = 'denial.modifier_incompatible', rev = 1, mode = 'live',
  family = 'coding',
  reason = { group = 'CO', code = '4', carc = '4' },
  weight = 0.65, strength = 30, severity = 'strong',
  summary = 'A modifier does not go with its procedure',
  fix = 'Check the indicators of the fee schedule; take the modifier off or use another code.',
  field = 'service_lines[].modifier',
  needs = { 'lines' },
  each = 'line',

  evaluate = function(line)
    local modifier = line.modifier
    if modifier == '' then return nil end
    local row = pfs.get(line.cpt, '')
    return row ~= nil and refused(modifier, row)
  end,
}
