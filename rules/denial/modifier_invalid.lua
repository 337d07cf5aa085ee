return {
  id = 'denial.modifier_invalid', rev = 1, mode = 'live',
  family = 'coding',
  reason = { group = 'CO', code = 'MODIFIER_INVALID', carc = '182' },
  summary = 'A modifier is malformed',
  fix = 'Send one to four modifiers of two letters or digits, separated by a colon.',
  field = 'service_lines[].modifier',
  profiles = { lenient = 'reason', standard = 'reason', strict = 'refusal' },

  evaluate = function(claim)
    local found = {}
    for i, line in ipairs(claim.lines) do
      if not modifiers_ok(line.modifier) then found[#found + 1] = { probability = 0.70, line = i } end
    end
    return found
  end,
}
