return {
  rule = 'denial.modifier_unknown',
  cases = {
    { name = 'known ones', params = { modifier_list_is_whole = true },
      claim = { lines = { { modifier = '25:59:RT:LT' } } }, expect = 'nothing' },
    { name = 'the list need not be whole', params = { modifier_list_is_whole = false },
      claim = { lines = { { modifier = '25:ZZ' } } }, expect = 'nothing' },
    { name = 'one that is not on the list', params = { modifier_list_is_whole = true },
      claim = { lines = { { modifier = '25:ZZ' } } }, expect = { probability = 0.70, line = 1, carc = '182' } },
    { name = 'a malformed one is another rule\'s', params = { modifier_list_is_whole = true },
      claim = { lines = { { modifier = '2' } } }, expect = 'nothing' },
  },
}
