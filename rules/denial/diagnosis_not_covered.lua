-- Procedures that are listed are paid with the listed diagnoses only: whole codes, or their first three or four
-- characters.
local coverage = table('coverage')

local function supported(code, diagnoses)
  for i = 1, #diagnoses do
    local diagnosis = diagnoses[i]
    for size = 3, #diagnosis do
      if coverage.has(code, diagnosis:sub(1, size)) then return true end
    end
  end
  return false
end

return {
  id = 'denial.diagnosis_not_covered', rev = 1, mode = 'live',
  family = 'necessity',
  reason = { group = 'CO', code = '50', carc = '50' },
  weight = 0.60, strength = 30, severity = 'strong',
  summary = 'No diagnosis on the claim supports a procedure',
  fix = 'Check the diagnoses; add the one that the procedure was done for.',
  field = 'service_lines[].cpt',
  needs = { 'lines', 'diagnosis_codes' },
  each = 'line',

  evaluate = function(line, claim)
    local code = line.cpt
    return coverage.lists(code) and not supported(code, claim.diagnosis_codes)
  end,
}
