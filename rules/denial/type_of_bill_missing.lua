-- UB-04 FL 4, 837I CLM05: facility, kind of care and frequency of the bill.
return {
  id = 'denial.type_of_bill_missing', rev = 1, mode = 'live',
  family = 'institutional',
  reason = { group = 'CO', code = 'TYPE_OF_BILL_MISSING', carc = '16' },
  weight = 0.90, strength = 30, severity = 'high',
  summary = 'An institutional claim has no type of bill',
  fix = 'Send type_of_bill, such as 0131.',
  field = 'type_of_bill',
  profiles = { lenient = 'warning', standard = 'reason', strict = 'refusal' },
  claim_type = 'institutional',

  evaluate = function(claim)
    return claim.type_of_bill == nil
  end,
}
