-- A visit by the surgeon inside the 10 or 90 days that the price of the surgery covers.
local lines, visits = lib('lines'), lib('visits')
local unrelated = { ['24'] = true, ['25'] = true, ['57'] = true, ['79'] = true }

return {
  id = 'denial.global_period', rev = 2, mode = 'live',
  family = 'bundling',
  reason = { group = 'CO', code = '97', carc = '97' },
  weight = 0.55, strength = 20, severity = 'strong',
  summary = 'A visit falls into the global period of an earlier surgery',
  fix = 'Add modifier 24, 25, 57 or 79 if it had nothing to do with the surgery.',
  field = 'service_lines[].modifier',
  needs = { 'lines', 'history' },
  each = 'line',
  claim_type = 'professional',

  evaluate = function(line, claim)
    local history = claim.history
    local days = history.days_since_surgery
    if not days or days > history.surgery_global_days then return nil end
    return visits.is_visit(line.cpt) and not lines.has_any(line.modifier, unrelated)
  end,
}
