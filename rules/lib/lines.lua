-- What several rules need to know about service lines.
local lines = {}

-- Modifiers that say "this is a repeat on purpose" or "this is a separate service".
local repeat_modifiers = { ['76'] = true, ['77'] = true, ['91'] = true, ['59'] = true,
                           XE = true, XP = true, XS = true, XU = true }

-- Whether a modifier text in normal form ("25:59") holds one of them.
function lines.repeats_on_purpose(modifier)
  for at = 1, #modifier, 3 do
    if repeat_modifiers[modifier:sub(at, at + 1)] then return true end
  end
  return false
end

return lines
