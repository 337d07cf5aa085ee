-- ncci: lifts a procedure-to-procedure edit. repeated: marks a repeat or a separate service. Where the whole list is here, set
-- params.modifier_list_is_whole.
return {
  summary = 'modifiers of procedures',
  columns = {
    { name = 'code', type = 'code', headers = { 'Modifier' } },
    { name = 'ncci', type = 'flag' },
    { name = 'repeated', type = 'flag' },
    { name = 'anatomic', type = 'flag' },
  },
  key = { 'code' },
}
