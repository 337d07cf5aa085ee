-- What the directory does not say of a payer. An empty cell leaves the directory's own, or the usual, in force.
return {
  summary = 'limits and habits of payers',
  columns = {
    { name = 'payer_id', type = 'text' },
    { name = 'timely_days', type = 'integer', min = 0, max = 3650, may_be_empty = true },
    { name = 'follows_ncci', type = 'flag', may_be_empty = true },
    { name = 'follows_pfs', type = 'flag', may_be_empty = true },
  },
  key = { 'payer_id' },
}
