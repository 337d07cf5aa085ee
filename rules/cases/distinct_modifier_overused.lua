local more, as_others = { distinct_modifier_bps = 3001,
  distinct_modifier_usual_bps = 3000 }, { distinct_modifier_bps = 3000, distinct_modifier_usual_bps = 3000 }

return {
  rule = 'denial.distinct_modifier_overused',
  cases = {
    { name = 'nothing is known', claim = { lines = { { cpt = '00010' }, { cpt = '00012', modifier = '59' } } },
      expect = 'nothing' },
    { name = 'more than others', claim = { lines = { { cpt = '00010' }, { cpt = '00012', modifier = 'RT:XS' } },
      history = more },
      expect = { probability = 0.20, line = 2 } },
    { name = 'set apart on the first of the pair', claim = { lines = { { cpt = '00010', modifier = '59' },
      { cpt = '00012' } }, history = more },
      expect = { probability = 0.20, line = 1 } },
    { name = 'as others', claim = { lines = { { cpt = '00010' }, { cpt = '00012', modifier = '59' } },
      history = as_others }, expect = 'nothing' },
    { name = 'not on this claim', claim = { lines = { { cpt = '00010' }, { cpt = '00012' } }, history = more },
      expect = 'nothing' },
    { name = 'nothing that it sets apart', claim = { lines = { { cpt = '99213' },
      { cpt = '00012', modifier = '59' } }, history = more }, expect = 'nothing' },
    { name = 'a pair that no modifier sets apart', claim = { lines = { { cpt = '00010' },
      { cpt = '00011', modifier = '59' } }, history = more }, expect = 'nothing' },
    { name = 'a payer that does not follow the edits', payer = { id = 'P3000' },
      claim = { lines = { { cpt = '00010' }, { cpt = '00012', modifier = '59' } },
        history = more }, expect = 'nothing' },
  },
}
