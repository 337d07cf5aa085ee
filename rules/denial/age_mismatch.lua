-- For codes that say so in the code table, where the whole band of ages lies outside.
local claims, codes = lib('claims'), table('codes')

return {
  id = 'denial.age_mismatch', rev = 1, mode = 'live',
  family = 'patient',
  reason = { group = 'CO', code = '6', carc = '6' },
  weight = 0.70, strength = 30, severity = 'strong',
  summary = 'A procedure is not for patients of this age',
  fix = 'Check the code and the patient\'s record.',
  field = 'service_lines[].cpt',
  needs = { 'lines', 'patient_age_from' },
  each = 'line',

  evaluate = function(line, claim)
    local code = line.cpt
    local row = codes.lists(code) and codes.get(code, claims.day(claim)) or nil
    if not row then return nil end
    local from, to = row.age_from, row.age_to
    return (to ~= nil and claim.patient_age_from > to) or (from ~= nil and claim.patient_age_to < from)
  end,
}
