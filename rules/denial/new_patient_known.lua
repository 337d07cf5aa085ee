-- A new patient is one whom the provider has not seen in three years.
local visits = lib('visits')

return {
  id = 'denial.new_patient_known', rev = 2, mode = 'live',
  family = 'coding',
  reason = { group = 'CO', code = 'B16', carc = 'B16' },
  weight = 0.75, strength = 30, severity = 'strong',
  summary = 'The patient is not new to this provider',
  fix = 'Bill the visit of an established patient.',
  field = 'service_lines[].cpt',
  needs = { 'lines', 'history' },
  each = 'line',
  claim_type = 'professional',

  evaluate = function(line, claim)
    return visits.is_of_new_patient(line.cpt) and claim.history.chart_seen_by_servicer
  end,
}
