-- Syntax only: whether the code exists is for a code table to say. A line need not have a code.
return {
  id = 'denial.procedure_code_format', rev = 3, mode = 'live',
  family = 'coding',
  reason = { group = 'CO', code = 'PROCEDURE_CODE_FORMAT', carc = '181' },
  weight = 0.95, strength = 50, severity = 'high',
  summary = 'A procedure code is neither CPT nor HCPCS in form',
  fix = 'Send five characters: a CPT code such as 99213 or a HCPCS code such as J1100.',
  field = 'service_lines[].cpt',
  needs = { 'lines' },
  profiles = { lenient = 'reason', standard = 'reason', strict = 'refusal' },
  each = 'line',

  evaluate = function(line)
    local code = line.cpt
    return code ~= '' and not procedure_code_ok(code)
  end,
}
