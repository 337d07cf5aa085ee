return {
  rule = 'denial.place_of_service_invalid',
  cases = {
    { name = 'not stated', expect = 'nothing' },
    { name = 'an office', claim = { place_of_service = '11' }, expect = 'nothing' },
    { name = 'nowhere', claim = { place_of_service = '88' }, expect = { probability = 0.65, carc = '58' } },
    { name = 'without lines', claim = { place_of_service = '88', lines = {} },
      expect = { field = 'place_of_service' } },
  },
}
