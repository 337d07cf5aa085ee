return {
  id = 'denial.fuzz', rev = 1, mode = 'live', family = 'test', reason = { group = 'CO', code = '16' },
  summary = 'A large claim', fix = 'Nothing',
  evaluate = function(claim, payer, params)
    if claim.amount_cents > params.large_cents * 100 then return { probability = 0.5, note = 'large', amount_at_risk_cents = claim.amount_cents * 8000 // 10000 } end
    for i = 1, #claim.lines do
      local line = claim.lines[i]
      if line.amount_cents and line.amount_cents > usd(9999.99) then return { { probability = 0.25, line = i } } end
    end
  end,
}
