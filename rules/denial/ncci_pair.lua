-- NCCI: the second procedure of the pair is never paid beside the first.
local ncci = lib('ncci')

return {
  id = 'denial.ncci_pair', rev = 2, mode = 'live',
  family = 'bundling',
  reason = { group = 'CO', code = '236', carc = '236' },
  weight = 0.92, strength = 50, severity = 'high',
  summary = 'Two procedures are never paid together',
  fix = 'Bill the first one only.',
  field = 'service_lines[].cpt',
  needs = { 'lines' },
  each = 'line',
  claim_type = 'professional',

  evaluate = function(line, claim, payer)
    local parts = ncci.parts_of(line, claim, payer, '0')
    if not parts then return nil end
    local found = {}
    for i = 1, #parts do found[i] = { line = parts[i].number } end
    return found
  end,
}
