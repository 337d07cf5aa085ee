return {
  id = 'denial.payer_inactive', rev = 1, mode = 'live',
  family = 'payer',
  reason = { group = 'OA', code = '109', carc = '109' },
  summary = 'The payer no longer takes claims',
  fix = 'Find the plan that took over and bill that one.',
  field = 'patient_primary_payor_id',

  evaluate = function(_, payer)
    if payer.known and payer.status ~= 'active' then return { probability = 0.85 } end
  end,
}
