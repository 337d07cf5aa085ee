-- Three bands: approve what is safe, decline what will probably be denied, show the rest to a person. The percentages always
-- go along, so that whoever decides otherwise (a person, the sandbox) has terms. The service bounds every proposal.
return {
  id = 'terms.standard', rev = 2,
  summary = 'Bands of risk, confidence and amount',

  evaluate = function(review, params)
    local terms = { advance_percentage = params.advance_percentage, fee_percentage = params.fee_percentage, reasons = {} }
    local function because(reason) terms.reasons[#terms.reasons + 1] = reason end

    if not review.payer_supports_advance then
      terms.decision, terms.reasons = 'declined', { 'payer_not_supported' }
      return terms
    end
    if review.denial_probability_bps > bps(params.decline_above_risk) then
      terms.decision, terms.reasons = 'declined', { 'risk_above_limit' }
      return terms
    end
    if review.denial_probability_bps >= bps(params.approve_below_risk) then because('risk_needs_review') end
    if review.confidence_bps < bps(params.approve_from_confidence) then because('confidence_needs_review') end
    if review.submitted_cents > params.approve_up_to_cents then because('amount_needs_review') end
    terms.decision = #terms.reasons == 0 and 'approved' or 'manual_review'
    return terms
  end,
}
