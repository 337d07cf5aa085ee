-- An extract of the NPI registry (NPPES): the providers that the operator cares for. Where it holds them all, set params.npi_list_is_whole.
return {
  summary = 'provider identifiers',
  columns = {
    { name = 'npi', type = 'integer', headers = { 'NPI' } },
    { name = 'deactivated', type = 'date', may_be_empty = true, headers = { 'NPI Deactivation Date' } },
    { name = 'reactivated', type = 'date', may_be_empty = true, headers = { 'NPI Reactivation Date' } },
  },
  key = { 'npi' },
}
