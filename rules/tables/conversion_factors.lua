-- Dollars per relative value. kind: PFS, and from 2026 on QP for qualifying participants of alternative payment models.
return {
  summary = 'conversion factors of the fee schedule',
  columns = {
    { name = 'kind', type = 'word' },
    { name = 'from', type = 'date' },
    { name = 'to', type = 'date', may_be_empty = true },
    { name = 'factor', type = 'decimal', min = 0, max = 999.9999 },
  },
  key = { 'kind' },
  from = 'from', to = 'to',
}
