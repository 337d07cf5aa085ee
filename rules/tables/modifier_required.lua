-- payer_id as the directory has it, or * for every payer that has no row of its own. `modifiers` in normal form, "GN:GO:GP": one of them is enough; a row of a
-- payer with none says that it asks for none.
return {
  summary = 'procedures that are not paid without a modifier',
  columns = {
    { name = 'payer_id', type = 'text' },
    { name = 'code', type = 'code' },
    { name = 'modifiers', type = 'text', may_be_empty = true },
    { name = 'from', type = 'date', may_be_empty = true },
    { name = 'to', type = 'date', may_be_empty = true },
  },
  key = { 'code', 'payer_id' },
  from = 'from', to = 'to',
}
