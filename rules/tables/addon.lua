-- CMS add-on code edits: of type 1 the primaries are all listed; of types 2 and 3 the payer keeps a list of its own.
return {
  summary = 'procedures that are paid beside a primary one only',
  columns = {
    { name = 'code', type = 'code', headers = { 'Add-on Code', 'Add-on_Code' } },
    { name = 'primary', type = 'code', headers = { 'Primary Code', 'Primary_Code' } },
    { name = 'type', type = 'word', may_be_empty = true, headers = { 'Add-on Code Type', 'AOC Edit Type', 'Type' } },
  },
  key = { 'code', 'primary' },
}
