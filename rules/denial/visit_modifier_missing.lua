-- 25 beside a procedure with a short global period (000, 010), 57 beside one with a long (090).
local lines, visits, pfs = lib('lines'), lib('visits'), table('pfs')

local function longest_period(all)
  local period
  for i = 1, #all do
    local row = pfs.get(all[i].cpt, '')
    local days = row and row.global_days
    if days == '090' then return days end
    if days == '000' or days == '010' then period = days end
  end
  return period
end

return {
  id = 'denial.visit_modifier_missing', rev = 2, mode = 'live',
  family = 'bundling',
  reason = { group = 'CO', code = '97', carc = '97' },
  weight = 0.50, strength = 20, severity = 'strong',
  summary = 'A visit beside a procedure lacks the modifier that sets it apart',
  fix = 'Add modifier 25 (or 57 where surgery was decided) if the visit was separate.',
  field = 'service_lines[].modifier',
  needs = { 'lines' },
  each = 'line',
  claim_type = 'professional',

  evaluate = function(line, claim)
    if not visits.is_visit(line.cpt) or claim.line_count < 2 then return nil end
    local modifier = line.modifier
    if lines.has(modifier, '57') then return nil end
    local period = longest_period(claim.lines)
    return period == '090' or (period ~= nil and not lines.has(modifier, '25'))
  end,
}
