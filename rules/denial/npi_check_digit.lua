-- CMS: an NPI starts with 1 or 2 and ends in a check digit.
return {
  id = 'denial.npi_check_digit', rev = 1, mode = 'live',
  family = 'npi',
  reason = { group = 'CO', code = 'NPI_CHECK_DIGIT', carc = '207' },
  summary = 'A provider identifier fails its check digit',
  fix = 'Compare the NPI with the NPI registry; digits are often swapped.',
  profiles = { lenient = 'warning', standard = 'reason', strict = 'refusal' },

  evaluate = function(claim)
    local found = {}
    for _, field in ipairs({ 'servicer_npi', 'billing_npi' }) do
      if not npi_check(claim[field]) then found[#found + 1] = { probability = 0.90, field = field } end
    end
    return found
  end,
}
