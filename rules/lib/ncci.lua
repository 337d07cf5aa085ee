-- NCCI's procedure-to-procedure edits on a claim. Payers follow them unless payer_limits says no.
local claims, limits, ptp = lib('claims'), table('payer_limits'), table('ptp')
local ncci = {}

-- Whether edits may apply at all: several lines, and a payer that follows them.
function ncci.applies(claim, payer)
  if claim.line_count < 2 then return false end
  local habits = limits.get(payer.id)
  return not (habits and habits.follows_ncci == false)
end

-- The lines that are part of this line's procedure, by an edit with this indicator; nil without any.
function ncci.parts_of(line, claim, payer, indicator)
  local code = line.cpt
  if not ptp.lists(code) or not ncci.applies(claim, payer) then return nil end
  local all, day, number, found = claim.lines, claims.day(claim), line.number, nil
  for i = 1, #all do
    local pair = i ~= number and ptp.get(code, all[i].cpt, day) or nil
    if pair and pair.modifier == indicator then
      found = found or {}
      found[#found + 1] = all[i]
    end
  end
  return found
end

-- Whether the line is either half of a pair with this indicator.
function ncci.is_in_pair(line, claim, payer, indicator)
  if not ncci.applies(claim, payer) then return false end
  local code, all, day, number = line.cpt, claim.lines, claims.day(claim), line.number
  for i = 1, #all do
    if i ~= number then
      local pair = ptp.get(code, all[i].cpt, day) or ptp.get(all[i].cpt, code, day)
      if pair and pair.modifier == indicator then return true end
    end
  end
  return false
end

return ncci
