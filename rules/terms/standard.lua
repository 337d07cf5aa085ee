-- Three bands: approve what is safe, decline what will probably be denied, show the rest to an operator. The
-- percentages are always part of the result, so that an operator or the sandbox has terms to decide otherwise. The
-- service bounds every proposal.
-- Every guard that lowers or refuses something leaves a reason; those of the first kind stand beside an approval too.

--- What may be advanced at most, by what the amount rests on; and why that is less than usual, if it is.
local function ceiling(review, params)
  local usual = bps(params.advance_percentage)
  if review.amount_source == 'remembered' then
    local sure = usual > 0 and review.record_weight_bps >= bps(params.remembered_from_weight)
    return sure and math.min(usual + bps(params.advance_more_remembered), 10000) or usual
  end
  if review.amount_source == 'ratio' then
    local most = bps(params.advance_most_ratio)
    if most < usual then return most, 'advance_lowered_amount_uncertain' end
  elseif review.amount_source == 'unknown_payer' then
    local most = bps(params.advance_most_unknown_payer)
    if most < usual then return most, 'advance_lowered_payer_unknown' end
  end
  return usual
end

--- Why no payment to the provider can follow. The service refuses these whatever a rule says, and a test claim in
--- production too.
local function refuse(review, because)
  if review.benefits_assigned == false then because('benefits_not_assigned') end
  if review.is_encounter then because('encounter') end
  if review.pay_to_plan then because('pay_to_other_plan') end
  if review.claim_frequency_code == '8' then because('void_claim') end
end

return {
  id = 'terms.standard', rev = 4,
  summary = 'Bands of risk, confidence, amount and expected loss; as much as the loss caps allow; portfolio guards',

  evaluate = function(review, params)
    local reasons, doubts = {}, 0
    local function because(reason) reasons[#reasons + 1] = reason end
    local function doubt(reason) because(reason); doubts = doubts + 1 end

    local most, lowered = ceiling(review, params)
    local advance_bps = review.largest_advance_bps(most, bps(params.expected_loss_cap), bps(params.shortfall_cap))
    local terms = { advance_percentage = advance_bps / 10000, fee_percentage = params.fee_percentage,
      reasons = reasons }

    refuse(review, because)
    if #reasons > 0 then
      terms.decision = 'declined'
      return terms
    end
    if not review.payer_supports_advance then
      because('payer_not_supported')
      terms.decision = 'declined'
      return terms
    end
    if review.denial_probability_bps > bps(params.decline_above_risk) then
      because('risk_above_limit')
      terms.decision = 'declined'
      return terms
    end

    if advance_bps == 0 and most > 0 then
      because('nothing_within_caps')
      terms.decision = 'declined'
      return terms
    end

    if lowered then because(lowered) end
    if advance_bps < most and advance_bps < bps(params.advance_percentage) then because('advance_lowered_shortfall') end

    local is_first = review.payer_sequence == nil or review.payer_sequence == 'primary'
    if not is_first and review.paid_by_others_cents == nil then doubt('other_payer_amount_needs_review') end
    if review.accepts_assignment == false then doubt('assignment_needs_review') end
    -- A replacement takes back what its original was paid, and that may have been advanced.
    if review.claim_frequency_code == '6'
      or review.claim_frequency_code == '7' then doubt('replacement_needs_review') end
    if review.denial_probability_bps >= bps(params.approve_below_risk) then doubt('risk_needs_review') end
    if review.confidence_bps < bps(params.approve_from_confidence) then doubt('confidence_needs_review') end
    if review.submitted_cents > params.approve_up_to_cents then doubt('amount_needs_review') end
    local width_bps = (review.denial_high_bps - review.denial_low_bps) * review.record_weight_bps // 10000
    if width_bps > bps(params.approve_up_to_width) then doubt('estimate_needs_review') end
    if review.expected_loss_bps(advance_bps) > bps(params.approve_up_to_loss) then
      doubt('expected_loss_needs_review')
    end
    if advance_bps < most and advance_bps < bps(params.advance_least) then doubt('shortfall_needs_review') end

    local advance_cents = review.expected_cents * advance_bps // 10000
    if review.payer_open_cents + advance_cents > params.payer_exposure_cents then
      doubt('payer_exposure_needs_review')
    end
    if review.provider_open_cents + advance_cents > params.provider_exposure_cents then
      doubt('provider_exposure_needs_review')
    end
    if review.lost_30_days_cents >= params.loss_stop_from_cents
      and review.lost_30_days_cents * 10000 > review.advanced_30_days_cents * bps(params.loss_stop) then
      doubt('realised_loss_stop')
    end

    terms.decision = doubts == 0 and 'approved' or 'manual_review'
    return terms
  end,
}
