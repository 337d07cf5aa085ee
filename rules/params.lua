-- The numbers of the policy, in one place, each with its unit and its reason. A number outside its min and max is
-- refused before it is used.
-- Shares are written 0.80 for 80 %, with at most four decimals; money is usd(250.00).
return {
  -- Forecast --------------------------------------------------------------------------------------------------------
  denial_threshold = { value = 0.50, min = 0.05, max = 0.95, unit = 'share',
    note = 'a denial is predicted from this probability on' },
  date_quantile = { value = 0.80, min = 0.50, max = 0.99, unit = 'share',
    note = 'the payment date holds with this probability, if paid' },
  recovery = { value = 0.40, min = 0.00, max = 1.00, unit = 'share',
    note = 'share of denied claims that are paid in the end' },

  -- What the tenant's own remittances have taught
  -- -----------------------------------------------------------------------
  learn_from_answers = { value = 200, min = 1, max = 1000000, unit = 'claims',
    note = 'it counts from so many answered claims of the tenant on' },
  payer_evidence = { value = 20, min = 1, max = 100000, unit = 'claims',
    note = 'published rates weigh as much as so many answers of the payer' },

  -- Terms -----------------------------------------------------------------------------------------------------------
  approve_below_risk = { value = 0.20, min = 0.00, max = 0.50, unit = 'share',
    note = 'approved only below this denial probability' },
  decline_above_risk = { value = 0.50, min = 0.20, max = 1.00, unit = 'share',
    note = 'declined above this denial probability' },
  approve_from_confidence = { value = 0.70, min = 0.00, max = 1.00, unit = 'share',
    note = 'approved only from this confidence on' },
  approve_up_to_cents = { value = usd(25000.00), min = 0, max = usd(1000000.00), unit = 'cents',
    note = 'larger claims go to a reviewer' },
  advance_percentage = { value = 0.80, min = 0.00, max = 0.95, unit = 'share',
    note = 'of the expected reimbursement, as a rule' },
  fee_percentage = { value = 0.02, min = 0.00, max = 0.10, unit = 'share', note = 'of the advance' },

  -- How much of it, by what the amount rests on. Only the first is more than is advanced as a rule.
  advance_more_remembered = { value = 0.10, min = 0.00, max = 0.50, unit = 'share',
    note = 'added where a payer allowed every line at this price before: the amount is nearly sure' },
  remembered_from_weight = { value = 0.50, min = 0.00, max = 1.00, unit = 'share',
    note = "added only where the tenant's record of this payer counts this much" },
  advance_most_ratio = { value = 0.80, min = 0.00, max = 0.95, unit = 'share',
    note = "some line is priced by the record's shares of the charge" },
  advance_most_unknown_payer = { value = 0.70, min = 0.00, max = 0.95, unit = 'share',
    note = 'unknown payer: its rates are a guess' },
  advance_least = { value = 0.40, min = 0.00, max = 0.95, unit = 'share',
    note = 'if the caps leave less, a reviewer decides' },

  -- What an advance may lose: the advance is lowered to these caps. They are of claims of which something is paid;
  -- how much is lost where nothing is,
  -- no smaller advance changes, so that decides on approval instead.
  expected_loss_cap = { value = 0.02, min = 0.00, max = 0.50, unit = 'share',
    note = 'share of the advance lost on average: what the fee earns' },
  shortfall_cap = { value = 0.12, min = 0.00, max = 1.00, unit = 'share',
    note = 'probability that less than the advance is paid: one claim in eight' },
  approve_up_to_loss = { value = 0.15, min = 0.00, max = 1.00, unit = 'share',
    note = 'larger expected losses of an advance, unpaid claims included, go to a reviewer' },
  approve_up_to_width = { value = 0.25, min = 0.00, max = 1.00, unit = 'share',
    note = 'known less closely by the record (90 % interval, by its weight) it goes to a reviewer' },

  -- The portfolio: exposure and losses. Beyond these limits an operator decides.
  payer_exposure_cents = { value = usd(10000000.00), min = 0, max = 1000 * usd(10000000.00), unit = 'cents',
    note = 'open advances on one payer, this one included' },
  provider_exposure_cents = { value = usd(2500000.00), min = 0, max = 1000 * usd(10000000.00), unit = 'cents',
    note = 'open advances to one billing provider, this one included' },
  loss_stop = { value = 0.15, min = 0.00, max = 1.00, unit = 'share',
    note = 'losses of 30 days against what was advanced in them: worse than the worst that is approved' },
  loss_stop_from_cents = { value = usd(25000.00), min = 0, max = 100 * usd(10000000.00), unit = 'cents',
    note = 'smaller losses of 30 days stop nothing: one large claim tells little' },

  -- Payments that do not come ----------------------------------------------------------------------------------------
  waiting_task_days = { value = 7, min = 1, max = 90, unit = 'days',
    note = 'a deposit without its remittance, or a remittance without its deposit, opens a task' },

  -- Overdue advances, in days behind the expected payment date
  -- ----------------------------------------------------------
  overdue_task_days = { value = 60, min = 1, max = 365, unit = 'days', note = 'no payment came: a task is opened' },
  write_off_days = { value = 180, min = 30, max = 1095, unit = 'days',
    note = 'no payment came: the rest is written off' },

  -- Denial rules ----------------------------------------------------------------------------------------------------
  code_table_is_whole = { value = false, note = 'tables/codes holds every procedure code: others do not exist' },
  diagnosis_table_is_whole = { value = false, note = 'tables/diagnoses holds every diagnosis code' },
  modifier_list_is_whole = { value = false, note = 'tables/modifiers holds every modifier' },
  npi_list_is_whole = { value = false, note = 'tables/npi holds every provider' },
  claim_identifier_safe_length = { value = 17, min = 1, max = 64, unit = 'characters',
    note = 'payers cut longer patient control numbers' },
  claim_identifier_longest = { value = 20, min = 1, max = 64, unit = 'characters',
    note = 'what X12 835 holds of a patient control number (CLP01)' },
}
