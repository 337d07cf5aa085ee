-- What several rules need to know about a claim as a whole.
local claims = {}

-- The day for which tables are asked: that of the service, today where none is given.
function claims.day(claim) return claim.date_of_service or claim.today end

-- Whether the claim says that it corrects, replaces or voids an earlier one.
function claims.is_correction(claim)
  local code = claim.claim_frequency_code
  return code == '6' or code == '7' or code == '8'
end

return claims
