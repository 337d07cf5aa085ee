-- The host counts earlier claims of another identifier that look like the same service.
return {
  id = 'denial.duplicate', rev = 1, mode = 'live',
  family = 'duplicate',
  reason = { group = 'OA', code = 'DUPLICATE_CLAIM', carc = '18' },
  summary = 'Looks like a service that was billed before',
  fix = 'Send a corrected claim under its first identifier, or mark a true repeat with modifier 76 or 77.',
  field = 'claim_identifier',

  evaluate = function(claim)
    if claim.duplicates > 0 then return { probability = 0.90 } end
  end,
}
