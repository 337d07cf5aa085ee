-- X12 835 has space for twenty characters (CLP01): a longer identifier cannot come back whole, and its payment needs a
-- reviewer.
return {
  id = 'denial.claim_identifier_cut', rev = 1, mode = 'live',
  family = 'identifier',
  reason = { group = 'OA', code = 'CLAIM_IDENTIFIER_CUT' },
  weight = 0.01, strength = 50, severity = 'moderate',
  summary = 'Payers cut the claim identifier: their remittances hold 20 characters of it',
  fix = 'Use at most 17 characters; else a reviewer has to match the payment by hand.',
  field = 'claim_identifier',
  profiles = { lenient = 'warning', standard = 'warning', strict = 'warning' },

  evaluate = function(claim, _, params)
    return #claim.claim_identifier > params.claim_identifier_longest
  end,
}
