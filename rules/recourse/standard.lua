-- Who bears what payers take back, withhold, pay twice or do not pay, and the values of the fee, the hold and the
-- reserve. An advance is non-recourse: the funder bears a short payment and a takeback of the principal. The practice
-- bears what was credited to it, and what a payer withholds for a claim that was never bought. These are the usual
-- bearers, so this rule moves nothing.
return {
  id = 'recourse.standard', rev = 1,
  summary = 'The usual bearers: the funder bears lost principal, the practice what was credited to it',

  policy = {
    hold_days = 0,               -- a residual is due at once
    reserve_percentage = 0,      -- nothing of a residual is held
    reserve_days = 90,           -- a part that is held is released after so many days
    least_advance_cents = 0,     -- every advance is offered
    least_fee_cents = 0,
    fee_tiers = {},              -- the fee of the terms rule, on every day
    -- balance_floor_cents = usd(-1000.00) declines the advances of a practice that owes more
  },

  evaluate = function(event)
    return {
      future_residuals_cents = event.usual_future_residuals_cents,
      reserve_cents = event.usual_reserve_cents,
      funder_cents = event.usual_funder_cents,
    }
  end,
}
