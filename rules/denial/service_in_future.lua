-- Intake lets a service be one day ahead, since clocks differ.
return {
  id = 'denial.service_in_future', rev = 1, mode = 'live',
  family = 'timing',
  reason = { group = 'CO', code = '110', carc = '110' },
  weight = 0.92, strength = 50, severity = 'high',
  summary = 'Billed before the day of service',
  fix = 'Bill after the service, or correct its date.',
  field = 'date_of_service',
  needs = { 'date_of_service' },

  evaluate = function(claim)
    return claim.date_of_service > (claim.date_of_submission or claim.today)
  end,
}
