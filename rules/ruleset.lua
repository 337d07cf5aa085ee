-- The risk policy: which rules run, in this order. A rule file that is not listed here is an error, so nothing is
-- forgotten silently; mode = 'off' in the rule's own file silences it.
return {
  version = '2',
  denial = {
    -- who
    'npi_check_digit', 'npi_unknown', 'provider_never_paid',
    'payer_unknown', 'payer_inactive', 'payer_changed', 'coverage_denied_before',
    'other_payer_amount_missing', 'not_paid_to_provider',
    -- when
    'timely_filing', 'timely_filing_near', 'service_in_future',
    -- once
    'duplicate', 'duplicate_likely', 'duplicate_line', 'correction_without_original',
    -- what
    'procedure_code_format', 'procedure_code_invalid', 'procedure_not_payable', 'procedure_bundled',
    'modifier_invalid', 'modifier_unknown', 'modifier_incompatible', 'modifier_missing', 'visit_modifier_missing',
    'ncci_pair', 'ncci_pair_modifier', 'distinct_modifier_overused',
    'units_above_edit', 'addon_without_primary', 'global_period', 'new_patient_known',
    'authorization_missing', 'often_denied',
    -- on which bill
    'type_of_bill_missing', 'revenue_code_missing',
    -- for whom, why and where
    'diagnosis_invalid', 'diagnosis_not_covered', 'place_of_service_invalid', 'sex_mismatch', 'age_mismatch',
    -- how much
    'lines_do_not_balance', 'zero_charge', 'charge_unusual', 'claim_identifier_long', 'claim_identifier_cut',
    'claim_identifier_spreadsheet',
  },
  terms = 'standard',
  recourse = 'standard',
}
