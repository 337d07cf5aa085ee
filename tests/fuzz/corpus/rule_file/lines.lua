local cache = {}
local function first(a, ...) local b <const> = ... ; return a, b end
return {
  id = 'denial.fuzz', rev = 1, mode = 'live', family = 'test', reason = { group = 'CO', code = '16' }, each = 'line', weight = 0.3,
  summary = 'A test', fix = "caf\u{e9} \xe9",
  evaluate = function(line, claim, payer, params)
    local n = 0
    repeat n = n + 1 local limit = n * 1.5 until limit > 3
    while n > 0 do n = n - 1 if n == 1 then break end end
    ::again:: if n < 0 then goto again end
    return (first(line.amount_cents, [[x]]) or 0) // 2 > math.max(usd(1.00), n)
  end,
}
