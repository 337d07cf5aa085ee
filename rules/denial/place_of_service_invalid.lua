local places = table('place_of_service')

return {
  id = 'denial.place_of_service_invalid', rev = 1, mode = 'live',
  family = 'coding',
  reason = { group = 'CO', code = '58', carc = '58' },
  weight = 0.65, strength = 30, severity = 'strong',
  summary = 'The place of service does not exist',
  fix = 'Send the two digits of CMS\'s list of places.',
  field = 'place_of_service',
  needs = { 'place_of_service' },

  evaluate = function(claim)
    return not places.has(claim.place_of_service)
  end,
}
