-- payer_id as the directory has it, or * for every payer.
return {
  summary = 'procedures that a payer wants to be asked about first',
  columns = {
    { name = 'payer_id', type = 'text' },
    { name = 'code', type = 'code' },
    { name = 'from', type = 'date', may_be_empty = true },
    { name = 'to', type = 'date', may_be_empty = true },
  },
  key = { 'code', 'payer_id' },
  from = 'from', to = 'to',
}
