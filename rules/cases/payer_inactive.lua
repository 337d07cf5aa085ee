return {
  rule = 'denial.payer_inactive',
  cases = {
    { name = 'an active payer', expect = 'nothing' },
    { name = 'an inactive payer', payer = { status = 'inactive' }, expect = { probability = 0.85 } },
    { name = 'an unknown payer is another rule\'s', payer = { known = false, status = 'inactive' },
      expect = 'nothing' },
  },
}
