-- Services that need a prior authorization of the payer. Only prior_authorization = true says that there is one.
local claims, list = lib('claims'), table('pa_list')

return {
  id = 'denial.authorization_missing', rev = 1, mode = 'live',
  family = 'authorization',
  reason = { group = 'CO', code = '197', carc = '197' },
  weight = 0.35, strength = 15, severity = 'moderate',
  summary = 'The payer wants to be asked before this procedure',
  fix = 'Ask for authorization, or send its number along and prior_authorization with the claim.',
  field = 'service_lines[].cpt',
  needs = { 'lines' },
  each = 'line',

  evaluate = function(line, claim, payer)
    local code = line.cpt
    if not list.lists(code) or claim.prior_authorization then return nil end
    local day = claims.day(claim)
    return list.has(code, payer.id, day) or list.has(code, '*', day)
  end,
}
