-- A spreadsheet that opens a long number keeps its first digits only and writes the rest as a power of ten:
-- 2.12345E+11.

-- Whether these places hold digits and, where `point` says so, one point or comma behind the first.
local function is_number(text, from, to, point)
  if to < from then return false end
  for at = from, to do
    local c = text:sub(at, at)
    local is_point = point and at == from + 1 and (c == '.' or c == ',')
    if not is_point and (c < '0' or c > '9') then return false end
  end
  return true
end

return {
  id = 'denial.claim_identifier_spreadsheet', rev = 1, mode = 'live',
  family = 'identifier',
  reason = { group = 'OA', code = 'CLAIM_IDENTIFIER_SPREADSHEET' },
  weight = 0.01, strength = 50, severity = 'moderate',
  summary = 'The claim identifier looks like a number that a spreadsheet has shortened',
  fix = 'Export the column as text and send the whole identifier, so that the payment matches.',
  field = 'claim_identifier',
  profiles = { lenient = 'warning', standard = 'warning', strict = 'warning' },

  evaluate = function(claim)
    local number = claim.claim_identifier:upper()
    local power = number:find('E+')
    return power ~= nil and is_number(number, 1, power - 1, true) and is_number(number, power + 2, #number, false)
  end,
}
