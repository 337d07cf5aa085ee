-- Form (a letter, a digit, up to five more) and, where the table knows the code, its days.
local claims, diagnoses = lib('claims'), table('diagnoses')

local function well_formed(code)
  local letter, digit = code:byte(1, 2)
  return #code >= 3 and #code <= 7 and letter >= 65 and letter <= 90 and digit >= 48 and digit <= 57
end

return {
  id = 'denial.diagnosis_invalid', rev = 1, mode = 'live',
  family = 'necessity',
  reason = { group = 'CO', code = '146', carc = '146' },
  weight = 0.70, strength = 30, severity = 'strong',
  summary = 'A diagnosis code is not in force on the day of service',
  fix = 'Use the diagnosis code that was in force on that day.',
  field = 'diagnosis_codes',
  needs = { 'diagnosis_codes' },

  evaluate = function(claim, _, params)
    local day, all = claims.day(claim), claim.diagnosis_codes
    for i = 1, #all do
      local code = all[i]
      local is_known = diagnoses.has(code, day)
      if not is_known and (not well_formed(code) or diagnoses.lists(code)
        or params.diagnosis_table_is_whole) then return { note = 'number ' .. i } end
    end
  end,
}
