return {
  id = 'denial.payer_inactive', rev = 1, mode = 'live',
  family = 'payer',
  reason = { group = 'OA', code = '109', carc = '109' },
  weight = 0.85, strength = 30, severity = 'high',
  summary = 'The payer no longer takes claims',
  fix = 'Find the plan that took over and bill that one.',
  field = 'patient_primary_payor_id',

  evaluate = function(_, payer)
    return payer.known and payer.status ~= 'active'
  end,
}
