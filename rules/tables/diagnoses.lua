-- Diagnosis codes (ICD-10-CM, without the point) with the days on which they hold. Where the whole code set is here, set
-- params.diagnosis_table_is_whole.
return {
  summary = 'diagnosis codes',
  columns = {
    { name = 'code', type = 'code' },
    { name = 'from', type = 'date', may_be_empty = true },
    { name = 'to', type = 'date', may_be_empty = true },
  },
  key = { 'code' },
  from = 'from', to = 'to',
}
