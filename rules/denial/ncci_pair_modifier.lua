-- NCCI: the second procedure of the pair is paid beside the first only with a modifier on one of them.
local claims, lines, limits, ptp = lib('claims'), lib('lines'), table('payer_limits'), table('ptp')

return {
  id = 'denial.ncci_pair_modifier', rev = 1, mode = 'live',
  family = 'bundling',
  reason = { group = 'CO', code = '236', carc = '236' },
  weight = 0.75, strength = 40, severity = 'strong',
  summary = 'Two procedures are paid together only with a modifier',
  fix = 'Add the modifier that says what was separate, if it was; else bill the first one only.',
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
      if pair and pair.modifier == '1' and not lines.lifts_edit(line.modifier) and not lines.lifts_edit(other.modifier) then
        found = found or {}
        found[#found + 1] = { line = i }
      end
    end
    return found
  end,
}
