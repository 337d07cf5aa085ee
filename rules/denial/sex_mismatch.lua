-- For codes that say so in the code table. U (unknown) says nothing.
local claims, codes = lib('claims'), table('codes')

return {
  id = 'denial.sex_mismatch', rev = 1, mode = 'live',
  family = 'patient',
  reason = { group = 'CO', code = '7', carc = '7' },
  weight = 0.80, strength = 30, severity = 'strong',
  summary = 'A procedure is not for patients of this sex',
  fix = 'Check the code and the patient\'s record.',
  field = 'service_lines[].cpt',
  needs = { 'lines', 'patient_sex' },
  each = 'line',

  evaluate = function(line, claim)
    local code = line.cpt
    local row = codes.lists(code) and codes.get(code, claims.day(claim)) or nil
    local sex = row and row.sex
    return sex ~= nil and claim.patient_sex ~= 'U' and claim.patient_sex ~= sex
  end,
}
