-- CMS add-on codes of type 1. Where the payer keeps a list of its own, the primary is CCCCC: nothing can be said.
local addon = table('addon')

local function has_primary(all, code)
  for i = 1, #all do
    if addon.has(code, all[i].cpt) then return true end
  end
  return false
end

return {
  id = 'denial.addon_without_primary', rev = 1, mode = 'live',
  family = 'coding',
  reason = { group = 'CO', code = '107', carc = '107' },
  weight = 0.85, strength = 40, severity = 'high',
  summary = 'An add-on procedure stands without the one that it adds to',
  fix = 'Bill it on the same claim as its primary procedure.',
  field = 'service_lines[].cpt',
  needs = { 'lines' },
  each = 'line',

  evaluate = function(line, claim)
    local code = line.cpt
    return addon.lists(code) and not addon.has(code, 'CCCCC') and not has_primary(claim.lines, code)
  end,
}
