-- A code that the table does not hold at all counts only where the table is whole.
local claims, codes = lib('claims'), table('codes')

return {
  id = 'denial.procedure_code_invalid', rev = 1, mode = 'live',
  family = 'coding',
  reason = { group = 'CO', code = '181', carc = '181' },
  weight = 0.90, strength = 40, severity = 'high',
  summary = 'A procedure code is not in force on the day of service',
  fix = 'Use the code that was in force on that day.',
  field = 'service_lines[].cpt',
  needs = { 'lines' },
  each = 'line',

  evaluate = function(line, claim, _, params)
    local code = line.cpt
    if codes.lists(code) then return not codes.has(code, claims.day(claim)) end
    return params.code_table_is_whole and procedure_code_ok(code)
  end,
}
