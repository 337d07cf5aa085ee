-- Which procedure codes hold on which day; for whom, where a code says so. Where the whole code set is here, set params.code_table_is_whole.
return {
  summary = 'procedure codes with the days on which they hold',
  columns = {
    { name = 'code', type = 'code', headers = { 'HCPCS' } },
    { name = 'from', type = 'date', may_be_empty = true, headers = { 'Add Date', 'Effective Date' } },
    { name = 'to', type = 'date', may_be_empty = true, headers = { 'Term Date', 'Termination Date' } },
    { name = 'sex', type = 'word', may_be_empty = true },
    { name = 'age_from', type = 'integer', min = 0, max = 150, may_be_empty = true },
    { name = 'age_to', type = 'integer', min = 0, max = 150, may_be_empty = true },
  },
  key = { 'code' },
  from = 'from', to = 'to',
}
