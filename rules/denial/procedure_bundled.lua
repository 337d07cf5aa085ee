-- Fee schedule status B or P beside a line that is paid, for payers that follow the schedule.
local limits, pfs = table('payer_limits'), table('pfs')
local bundled = { B = true, P = true }

-- Whether a line is paid by itself.
local function beside_another(all)
  for i = 1, #all do
    local row = pfs.get(all[i].cpt, '')
    if not (row and bundled[row.status]) then return true end
  end
  return false
end

return {
  id = 'denial.procedure_bundled', rev = 2, mode = 'live',
  family = 'bundling',
  reason = { group = 'CO', code = '97', carc = '97' },
  weight = 0.80, strength = 30, severity = 'strong',
  summary = 'A procedure is paid as part of another',
  fix = 'Do not bill it beside the procedure that it belongs to.',
  field = 'service_lines[].cpt',
  needs = { 'lines' },
  each = 'line',
  claim_type = 'professional',

  evaluate = function(line, claim, payer)
    local row = pfs.get(line.cpt, '')
    if not (row and bundled[row.status]) or claim.line_count < 2 then return nil end
    local habits = limits.get(payer.id)
    return habits ~= nil and habits.follows_pfs and beside_another(claim.lines)
  end,
}
