-- Fee schedule status N, X, E or I, for payers that follow the schedule.
local limits, pfs = table('payer_limits'), table('pfs')
local unpaid = { N = true, X = true, E = true, I = true }

return {
  id = 'denial.procedure_not_payable', rev = 2, mode = 'live',
  family = 'coding',
  reason = { group = 'CO', code = '96', carc = '96' },
  weight = 0.75, strength = 30, severity = 'strong',
  summary = 'The fee schedule pays nothing for a procedure',
  fix = 'Bill what the schedule pays, or the patient where the contract allows it.',
  field = 'service_lines[].cpt',
  needs = { 'lines' },
  each = 'line',
  claim_type = 'professional',

  evaluate = function(line, _, payer)
    local habits = limits.get(payer.id)
    if not (habits and habits.follows_pfs) then return nil end
    local row = pfs.get(line.cpt, '')
    return row ~= nil and unpaid[row.status]
  end,
}
