-- What is not paid without a modifier: a therapy without its plan of care, a side that is not named. A payer's own
-- row goes before that of all payers.
local claims, lines, required = lib('claims'), lib('lines'), table('modifier_required')

local function has_one_of(modifier, wanted)
  for at = 1, #modifier, 3 do
    if lines.has(wanted, modifier:sub(at, at + 1)) then return true end
  end
  return false
end

return {
  id = 'denial.modifier_missing', rev = 1, mode = 'live',
  family = 'coding',
  reason = { group = 'CO', code = '4', carc = '4' },
  weight = 0.45, strength = 20, severity = 'moderate',
  summary = 'A procedure lacks the modifier that its payer asks for',
  fix = 'Add the modifier that applies, or correct tables/modifier_required where the payer asks for none.',
  field = 'service_lines[].modifier',
  needs = { 'lines' },
  each = 'line',

  evaluate = function(line, claim, payer)
    local code = line.cpt
    if not required.lists(code) then return nil end
    local day = claims.day(claim)
    local row = required.get(code, payer.id, day) or required.get(code, '*', day)
    local wanted = row and row.modifiers
    return wanted ~= nil and not has_one_of(line.modifier, wanted)
  end,
}
