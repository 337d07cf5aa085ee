-- 59 and its subsets on a pair that NCCI bundles, more often than 95 % of the payer's providers use them.
local lines, ncci = lib('lines'), lib('ncci')
local distinct = { ['59'] = true, XE = true, XP = true, XS = true, XU = true }

return {
  id = 'denial.distinct_modifier_overused', rev = 3, mode = 'live',
  family = 'bundling',
  reason = { group = 'CO', code = '50', carc = '50' },
  weight = 0.20, strength = 20, severity = 'moderate',
  summary = 'The provider sets services apart more often than others',
  fix = 'Keep the documentation of the separate service at hand.',
  field = 'service_lines[].modifier',
  needs = { 'lines', 'history' },
  each = 'line',
  claim_type = 'professional',

  evaluate = function(line, claim, payer)
    if not lines.has_any(line.modifier, distinct) then return nil end
    local history = claim.history
    local usual = history.distinct_modifier_usual_bps
    return usual ~= nil and history.distinct_modifier_bps > usual and ncci.is_in_pair(line, claim, payer, '1')
  end,
}
