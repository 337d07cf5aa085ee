-- CMS: an NPI begins with 1 or 2 and ends in a check digit.
local fields = { 'servicer_npi', 'billing_npi', 'attending_npi', 'operating_npi' }

return {
  id = 'denial.npi_check_digit', rev = 3, mode = 'live',
  family = 'npi',
  reason = { group = 'CO', code = 'NPI_CHECK_DIGIT', carc = '207' },
  weight = 0.90, strength = 50, severity = 'high',
  summary = 'A provider identifier fails its check digit',
  fix = 'Compare the NPI with the NPI registry; digits are often swapped.',
  profiles = { lenient = 'warning', standard = 'reason', strict = 'refusal' },
  confidence_cap = { lenient = 0.75 },

  evaluate = function(claim)
    local found
    for i = 1, #fields do
      local npi = claim[fields[i]]
      if npi and not npi_check(npi) then
        found = found or {}
        found[#found + 1] = { field = fields[i] }
      end
    end
    return found
  end,
}
