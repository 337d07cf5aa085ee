-- What payers and providers have agreed, per unit: a price in dollars, or a share of the Medicare fee in percent (the price counts where a row has both).
-- payer_id as the directory has it. billing_npi empty: every provider's. modifiers as they are billed ("26", "50:LT"), empty: none that changes a price.
return {
  summary = 'prices that contracts name',
  columns = {
    { name = 'payer_id', type = 'text' },
    { name = 'billing_npi', type = 'text', may_be_empty = true },
    { name = 'code', type = 'code' },
    { name = 'modifiers', type = 'text', may_be_empty = true },
    { name = 'from', type = 'date', may_be_empty = true },
    { name = 'to', type = 'date', may_be_empty = true },
    { name = 'price', type = 'decimal', min = 0, max = 99999999.99, may_be_empty = true },
    { name = 'medicare_percent', type = 'decimal', min = 0, max = 9999.99, may_be_empty = true },
  },
  key = { 'payer_id', 'billing_npi', 'code', 'modifiers' },
  from = 'from', to = 'to',
}
