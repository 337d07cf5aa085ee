-- Deactivated by the day of service and not reactivated; unknown counts only where the registry extract is whole.
local claims, registry = lib('claims'), table('npi')
local fields = { 'servicer_npi', 'billing_npi' }

return {
  id = 'denial.npi_unknown', rev = 1, mode = 'live',
  family = 'npi',
  reason = { group = 'CO', code = '208', carc = '208' },
  weight = 0.80, strength = 30, severity = 'strong',
  summary = 'The NPI registry does not know the provider, or no longer',
  fix = 'Look the NPI up in the registry; ask the provider to reactivate it.',

  evaluate = function(claim, _, params)
    local found
    local day = claims.day(claim)
    for i = 1, #fields do
      local npi = claim[fields[i]]
      local row = registry.get(tonumber(npi) or 0)
      local gone = row and row.deactivated and row.deactivated <= day
        and not (row.reactivated and row.reactivated <= day)
      if gone or (not row and params.npi_list_is_whole and npi_check(npi)) then
        found = found or {}
        found[#found + 1] = { field = fields[i] }
      end
    end
    return found
  end,
}
