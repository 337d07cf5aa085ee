-- The numbers of the policy, in one place. A number outside its min and max is refused before it is used.
-- Shares are written 0.80 for 80 %, with at most four decimals; money is usd(250.00).
return {
  -- Forecast --------------------------------------------------------------------------------------------------------
  denial_threshold = { value = 0.50, min = 0.05, max = 0.95, note = 'a denial is predicted from this probability on' },
  date_quantile = { value = 0.80, min = 0.50, max = 0.99, note = 'the payment date holds with this probability, if paid' },
  recovery = { value = 0.40, min = 0.00, max = 1.00, note = 'share of denied claims that are paid in the end' },

  -- What the tenant's own remittances have taught -----------------------------------------------------------------------
  learn_from_answers = { value = 200, min = 1, max = 1000000, note = 'it counts from so many answered claims of the tenant on' },
  payer_evidence = { value = 20, min = 1, max = 100000, note = 'published rates weigh as much as so many answers of the payer' },

  -- Terms -----------------------------------------------------------------------------------------------------------
  approve_below_risk = { value = 0.20, min = 0.00, max = 0.50, note = 'approved only below this denial probability' },
  decline_above_risk = { value = 0.50, min = 0.20, max = 1.00, note = 'declined above this denial probability' },
  approve_from_confidence = { value = 0.70, min = 0.00, max = 1.00, note = 'approved only from this confidence on' },
  approve_up_to_cents = { value = usd(25000.00), min = 0, max = usd(1000000.00), note = 'larger claims go to a person' },
  advance_percentage = { value = 0.80, min = 0.00, max = 0.95, note = 'of the expected reimbursement' },
  fee_percentage = { value = 0.02, min = 0.00, max = 0.10, note = 'of the advance' },

  -- Overdue advances, in days behind the expected payment date ----------------------------------------------------------
  overdue_task_days = { value = 60, min = 1, max = 365, note = 'nothing came: a person is told' },
  write_off_days = { value = 180, min = 30, max = 1095, note = 'nothing came: the rest is written off' },

  -- Denial rules ----------------------------------------------------------------------------------------------------
  code_table_is_whole = { value = false, note = 'tables/codes holds every procedure code: others do not exist' },
  diagnosis_table_is_whole = { value = false, note = 'tables/diagnoses holds every diagnosis code' },
  modifier_list_is_whole = { value = false, note = 'tables/modifiers holds every modifier' },
  npi_list_is_whole = { value = false, note = 'tables/npi holds every provider' },
  claim_identifier_safe_length = { value = 17, min = 1, max = 64, note = 'payers cut longer patient control numbers' },
}
