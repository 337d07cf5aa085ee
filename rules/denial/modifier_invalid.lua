return {
  id = 'denial.modifier_invalid', rev = 2, mode = 'live',
  family = 'coding',
  reason = { group = 'CO', code = 'MODIFIER_INVALID', carc = '182' },
  weight = 0.70, strength = 30, severity = 'strong',
  summary = 'A modifier is malformed',
  fix = 'Send one to four modifiers of two letters or digits, separated by a colon.',
  field = 'service_lines[].modifier',
  needs = { 'lines' },
  profiles = { lenient = 'reason', standard = 'reason', strict = 'refusal' },
  each = 'line',

  evaluate = function(line)
    return not modifiers_ok(line.modifier)
  end,
}
