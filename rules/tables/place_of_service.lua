-- facility: the fee schedule pays its facility rate there.
return {
  summary = 'places of service',
  columns = {
    { name = 'code', type = 'code' },
    { name = 'facility', type = 'flag' },
  },
  key = { 'code' },
}
