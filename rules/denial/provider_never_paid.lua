-- Billing and servicing NPI together: this payer has answered often enough and never with money.
return {
  id = 'denial.provider_never_paid', rev = 1, mode = 'live',
  family = 'provider',
  reason = { group = 'CO', code = 'B7', carc = 'B7' },
  weight = 0.70, strength = 20, severity = 'strong',
  summary = 'This payer has never paid this provider',
  fix = 'Check the enrollment of the rendering provider under this billing NPI.',
  field = 'servicer_npi',
  needs = { 'history' },

  evaluate = function(claim)
    local history = claim.history
    return history.pair_paid == 0 and history.pair_responses >= 15
  end,
}
