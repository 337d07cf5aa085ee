-- CMS: an NPI has ten digits, of which the first is 1 or 2.
local fields = { 'servicer_npi', 'billing_npi' }

return {
  id = 'denial.npi_format', rev = 1, mode = 'live',
  family = 'npi',
  reason = { group = 'CO', code = '207', carc = '207' },
  weight = 0.95, strength = 50, severity = 'high',
  summary = 'A provider identifier is no NPI',
  fix = 'Send the ten digits of the NPI registry; the first is 1 or 2.',
  profiles = { lenient = 'warning', standard = 'reason', strict = 'refusal' },

  evaluate = function(claim)
    local found
    for i = 1, #fields do
      local npi = claim[fields[i]]
      local first = npi:byte(1)
      if #npi ~= 10 or (first ~= 49 and first ~= 50) then
        found = found or {}
        found[#found + 1] = { field = fields[i] }
      end
    end
    return found
  end,
}
