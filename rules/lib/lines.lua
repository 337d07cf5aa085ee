-- What several rules need to know about service lines and their modifiers. A modifier text is in normal form: "25:59".
local modifiers = table('modifiers')
local lines = {}

-- Whether the text holds this modifier.
function lines.has(modifier, wanted)
  for at = 1, #modifier, 3 do
    if modifier:sub(at, at + 1) == wanted then return true end
  end
  return false
end

-- Whether the text holds one of the modifiers that are keys of the table.
function lines.has_any(modifier, wanted)
  for at = 1, #modifier, 3 do
    if wanted[modifier:sub(at, at + 1)] then return true end
  end
  return false
end

-- Whether a modifier says "this is a repeat on purpose" or "this is a separate service", or names another side or
-- finger.
function lines.repeats_on_purpose(modifier)
  for at = 1, #modifier, 3 do
    local row = modifiers.get(modifier:sub(at, at + 1))
    if row and row.repeated then return true end
  end
  return false
end

-- Whether a modifier lifts a procedure-to-procedure edit that can be lifted.
function lines.lifts_edit(modifier)
  for at = 1, #modifier, 3 do
    local row = modifiers.get(modifier:sub(at, at + 1))
    if row and row.ncci then return true end
  end
  return false
end

return lines
