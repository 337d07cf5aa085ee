-- Syntax only: whether the code exists is for a code table to say. A line need not have a code.
return {
  id = 'denial.procedure_code_format', rev = 2, mode = 'live',
  family = 'coding',
  reason = { group = 'CO', code = 'PROCEDURE_CODE_FORMAT', carc = '181' },
  summary = 'A procedure code is neither CPT nor HCPCS in form',
  fix = 'Send five characters: a CPT code such as 99213 or a HCPCS code such as J1100.',
  field = 'service_lines[].cpt',
  profiles = { lenient = 'reason', standard = 'reason', strict = 'refusal' },

  evaluate = function(claim)
    local found = {}
    for i, line in ipairs(claim.lines) do
      if line.cpt ~= '' and not procedure_code_ok(line.cpt) then found[#found + 1] = { probability = 0.95, line = i } end
    end
    return found
  end,
}
