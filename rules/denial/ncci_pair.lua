-- NCCI: the second procedure of the pair is never paid beside the first. Payers follow it unless payer_limits says no.
local claims, limits, ptp = lib('claims'), table('payer_limits'), table('ptp')

return {
  id = 'denial.ncci_pair', rev = 1, mode = 'live',
  family = 'bundling',
  reason = { group = 'CO', code = '236', carc = '236' },
  weight = 0.92, strength = 50, severity = 'high',
  summary = 'Two procedures are never paid together',
  fix = 'Bill the first one only.',
  field = 'service_lines[].cpt',
  needs = { 'lines' },
  each = 'line',

  evaluate = function(line, claim, payer)
    local code = line.cpt
    if not ptp.lists(code) or claim.line_count < 2 then return nil end
    local habits = limits.get(payer.id)
    if habits and habits.follows_ncci == false then return nil end
    local all, day, number, found = claim.lines, claims.day(claim), line.number, nil
    for i = 1, #all do
      local other = all[i]
      local pair = i ~= number and ptp.get(code, other.cpt, day) or nil
      if pair and pair.modifier == '0' then
        found = found or {}
        found[#found + 1] = { line = i }
      end
    end
    return found
  end,
}
