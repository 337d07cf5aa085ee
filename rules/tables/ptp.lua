-- CMS procedure-to-procedure edits, practitioner services. modifier: 0 never together, 1 together with a modifier, 9 no longer applies.
return {
  summary = 'pairs of procedures of which the second is part of the first',
  columns = {
    { name = 'code', type = 'code', headers = { 'Column 1' } },
    { name = 'other', type = 'code', headers = { 'Column 2' } },
    { name = 'from', type = 'date', headers = { 'Effective Date' } },
    { name = 'to', type = 'date', may_be_empty = true, headers = { 'Deletion Date', 'Deletion Date *=no data' } },
    { name = 'modifier', type = 'word', headers = { 'Modifier', 'Modifier 0=not allowed 1=allowed 9=not applicable', 'Modifier Indicator' } },
  },
  key = { 'code', 'other' },
  from = 'from', to = 'to',
}
