-- The risk policy: which rules run, in this order. A rule file that is not listed here is an error, so nothing is
-- forgotten silently; mode = 'off' in the rule's own file silences it.
return {
  version = '1',
  denial = {
    'npi_check_digit',
    'payer_unknown',
    'payer_inactive',
    'timely_filing',
    'duplicate',
    'duplicate_line',
    'procedure_code_format',
    'modifier_invalid',
    'lines_do_not_balance',
    'zero_charge',
    'claim_identifier_long',
  },
  terms = 'standard',
}
