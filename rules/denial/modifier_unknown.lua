-- Only where the list is whole; it is the rule above that looks at the form.
local modifiers = table('modifiers')

local function known(modifier)
  for at = 1, #modifier, 3 do
    if not modifiers.has(modifier:sub(at, at + 1)) then return false end
  end
  return true
end

return {
  id = 'denial.modifier_unknown', rev = 1, mode = 'live',
  family = 'coding',
  reason = { group = 'CO', code = '182', carc = '182' },
  weight = 0.70, strength = 30, severity = 'strong',
  summary = 'A modifier does not exist',
  fix = 'Use a modifier that was in force on the day of service.',
  field = 'service_lines[].modifier',
  needs = { 'lines' },
  each = 'line',

  evaluate = function(line, _, _, params)
    local modifier = line.modifier
    return modifier ~= '' and params.modifier_list_is_whole and modifiers_ok(modifier) and not known(modifier)
  end,
}
