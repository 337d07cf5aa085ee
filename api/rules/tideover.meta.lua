---@meta
-- Everything that a rule can read, for an editor with a Lua language server. Nothing runs this file; tests compare it
-- with the service. Dates are days since 1970-01-01. Money is integer cents. Rates are integer basis points
-- (10000 is 100 %). A field with `?` can be nil. Reference: api/docs/rules/reference.md.

---A claim as submitted. Read-only. An unknown field is an error.
---@class tideover.Claim
---@field claim_identifier string
---@field facility string? code of the facility
---@field servicer_npi string ten digits
---@field billing_npi string ten digits
---@field payer_id string as sent; payer.id is the directory's id
---@field amount_cents integer submitted amount
---@field date_of_service integer? day number
---@field date_of_submission integer? day number
---Days from the service to the submission, or to today if not submitted; of an institutional claim from the end of its
---statement.
---@field days_to_submission integer?
---@field today integer day number
---@field lines tideover.Line[] service lines, from index 1
---@field line_count integer
---@field lines_difference_cents integer lines_total_cents - amount_cents
---@field lines_total_cents integer sum of the amounts of the lines; a line without an amount counts 0
---@field duplicates integer number of earlier claims with another identifier that look like the same service
---@field diagnosis_codes string[] upper case, without the point; the principal code first
---@field place_of_service string? two digits of the CMS list
---@field patient_age_from integer? whole years
---@field patient_age_to integer? whole years, inclusive
---@field patient_sex string? "F", "M" or "U"
---@field prior_authorization boolean? whether the payer authorized the service beforehand
---@field claim_type string "professional" or "institutional"
---@field claim_frequency_code string? "1" original, "6" corrected, "7" replacement, "8" void
---@field payer_sequence string? "primary", "secondary" or "tertiary" (third or later)
---@field paid_by_others_cents integer? amount that earlier payers paid
---@field patient_paid_cents integer? amount that the patient paid
---@field benefits_assigned boolean? false: the payer pays the patient
---@field accepts_assignment boolean? whether the provider accepts the allowed amount
---@field is_encounter boolean? an encounter under a capitation: the payer pays nothing for it
---@field is_test boolean? a claim of a test interchange
---@field pay_to_plan boolean? the payer pays another plan
---The following facts are of institutional claims. A professional claim has none of them, and its lists are empty.
---@field type_of_bill string? four characters: "0131"
---@field statement_from integer? day number
---@field statement_through integer? day number
---@field admission_date integer? day number
---@field discharge_date integer? day number
---@field admission_type string? one digit
---@field admission_source string? one digit or letter
---@field patient_status string? two digits
---@field attending_npi string? ten digits
---@field operating_npi string? ten digits
---@field drg string? three or four digits
---@field present_on_admission string[] of each diagnosis code: "Y", "N", "U", "W", "1" or ""
---@field condition_codes string[]
---@field occurrence_codes string[]
---@field occurrence_dates integer[] day numbers of the occurrence codes
---@field span_codes string[] occurrence span codes
---@field span_from_dates integer[] their first days
---@field span_through_dates integer[] their last days
---@field value_codes string[]
---@field value_amounts_cents integer[] their amounts; a quantity times 100
---@field history tideover.History

---Facts from earlier claims and their remittances, as of the day of the review.
---@class tideover.History
---@field known boolean false: there is no history
---@field payer_responses integer number of first responses of this payer
---@field payer_denied_bps integer share of these that are denials
---@field pair_responses integer number of first responses of this payer to this pair of billing and servicing NPI
---@field pair_paid integer number of these that are payments
---@field chart_last_payer string? payer that last paid a claim of this chart
---@field chart_last_paid_days integer? days since then
---Eligibility denials of this chart and payer within 180 days, if none was paid since.
---@field chart_eligibility_denials integer
---@field chart_seen_by_servicer boolean a paid visit of this chart at this servicing NPI within three years
---Claims with the same chart, payer, amount and day of service; without a day: within 45 days.
---@field likely_duplicates integer
---@field distinct_modifier_bps integer share of this provider's edit pairs with modifier 59 or an X modifier
---@field distinct_modifier_usual_bps integer? 95 % of the payer's providers have at most this share
---Days since the last procedure with a global period, for this servicing NPI and chart.
---@field days_since_surgery integer?
---@field surgery_global_days integer global period of that procedure

---@class tideover.Line
---@field cpt string upper case, without blanks and hyphens
---@field modifier string normalized: "25:59"; "" if none; as sent if malformed
---@field units_milli integer units x 1000
---@field amount_cents integer?
---@field revenue_code string? four digits; of a line of an institutional claim
---@field number integer position, from 1
---@field same_as integer? number of the first line with the same codes and modifiers, if it precedes this one
---@field history tideover.LineHistory

---First responses of this payer to this procedure, and its usual price. Zero or nil if nothing is known.
---@class tideover.LineHistory
---@field responses integer number of first responses
---@field denied_bps integer denial rate, shrunk towards the payer's rate
---@field denied_low_bps integer lower end of its 90 % interval
---@field denied_low_times integer denied_low_bps divided by the payer's own rate, rounded down
---@field charge_is_unusual boolean whether the line's amount is above unusual_charge_cents
---@field top_carc string? most frequent CARC of its denials
---@field unusual_charge_cents integer? 99.5 % of this provider's charges for the procedure are at most this
---@field medicare_fee_cents integer? fee for all units, from the loaded fee schedule

---The payer directory's record. Default rates if the payer is not known.
---@class tideover.Payer
---@field id string
---@field known boolean
---@field near_id string? for an unknown payer: id of the payer that differs only by leading zeros
---@field name string
---@field status string "active" or "inactive"
---@field timely_filing_days integer
---@field supports_advance boolean
---@field denial_rate_bps integer share of claims that are denied at first response
---@field allowed_rate_bps integer allowed amount / billed charge
---@field patient_share_bps integer share of the allowed amount that the patient owes
---@field median_days_to_pay integer days from submission to the posted payment
---@field p80_days_to_pay integer 80 % of payments are posted by this day

---A finished review, for terms rules. Its functions take and return basis points from 0 to 10000. An advance is a share
---of expected_cents. "Paid" means paid within 90 days of submission. Without a record of the payer, either all of the
---expected amount is paid or nothing.
---@class tideover.Review
---@field denial_probability_bps integer
---@field denial_predicted boolean
---@field confidence_bps integer probability of a payment on or before the expected date
---@field expected_cents integer the payer's payment, weighted by probability
---@field allowed_cents integer
---@field submitted_cents integer
---@field days_to_payment integer days from today to the expected payment date
---@field warnings integer number of warnings
---@field payer_known boolean
---@field payer_supports_advance boolean true if the payer is unknown
---Basis of expected_cents: "remembered" (every line was allowed at its price before, or has a contract price), "ratio"
---(shares of the charge, from the record), "published" (rates of the directory), "unknown_payer".
---@field amount_source string
---@field evidence integer number of answered claims of this payer behind the prediction; 0: the record does not count
---@field record_weight_bps integer weight of the record against published rates
---@field denial_low_bps integer lower end of the 90 % interval of denial_probability_bps; equal to it without a record
---@field denial_high_bps integer upper end of that interval
---@field nonpayment_bps integer probability that the payer finally pays nothing
---Expected loss of such an advance, as a share of it; without any payment all of it is lost.
---@field expected_loss_bps fun(advance_bps:integer):integer
---@field shortfall_bps fun(advance_bps:integer):integer probability that less than the advance is paid
---The largest advance up to most_bps, lowered by whole percents, that keeps expected loss and shortfall within these
---caps; both are for claims of which something is paid.
---@field largest_advance_bps fun(most_bps:integer,loss_bps:integer,shortfall_bps:integer):integer
---@field payer_open_cents integer open advances on this payer's claims, without this one
---@field provider_open_cents integer open advances to this claim's billing provider, without this one
---@field advanced_30_days_cents integer the tenant's advances in the last 30 days, including today
---@field lost_30_days_cents integer losses on advances in these days
---@field claim_type string "professional" or "institutional"
---@field claim_frequency_code string? "1" original, "6" corrected, "7" replacement, "8" void
---@field payer_sequence string? "primary", "secondary" or "tertiary" (third or later)
---@field paid_by_others_cents integer? amount that earlier payers paid
---@field patient_paid_cents integer? amount that the patient paid
---@field benefits_assigned boolean? false: the payer pays the patient
---@field accepts_assignment boolean? whether the provider accepts the allowed amount
---@field is_encounter boolean? an encounter under a capitation: the payer pays nothing for it
---@field is_test boolean? a claim of a test interchange
---@field pay_to_plan boolean? the payer pays another plan
---@field rail string "RTP", "SAME_DAY" or "FUTURE_DATE"
---@field today integer day number

---What a payer took back, withheld, paid too much or did not pay.
---@class tideover.RecourseEvent
---"takeback": of an advance. "overpayment": more than the charge, or a second payment of a final settlement.
---"foreign_recovery": withheld for a claim that was never bought. "returned_deposit": credited to the practice, and
---taken back by the bank. "short_payment": the final answer leaves a part of the advance unpaid.
---@field kind string
---@field amount_cents integer above zero
---@field usual_future_residuals_cents integer what the practice bears where no rule says otherwise
---@field usual_reserve_cents integer what its reserve bears
---@field usual_funder_cents integer what the funder bears
---@field payer_id string
---@field payee_npi string? the practice
---@field advance_cents integer of the settlement; 0: none
---@field paid_out_cents integer of the residual of the settlement: paid to the practice, or on its way
---@field owed_cents integer to the practice, without this event; below zero: its debt
---@field carried_cents integer what payers will withhold from the practice
---@field reserve_cents integer in the reserve of the practice
---@field days_since_funding integer? of the settlement

---Result of a denial rule: nil, true, one finding, or a list of findings (only the first 50 count).
---@class tideover.FindingResult
---@field probability number? P(denied | this finding), above 0, at most 1; default: the rule's weight
---@field line integer? index into claim.lines, from 1
---@field amount_at_risk_cents integer? default: the line's amount, else the claim's
---@field note string? added to the summary; at most 200 bytes
---@field field string? faulty request field, in place of the rule's own
---@field carc string? CARC that the payer would send, in place of the rule's own

---Result of a terms rule.
---@class tideover.TermsResult
---@field decision string "approved", "declined" or "manual_review"
---@field advance_percentage number? share of the expected reimbursement, at most four decimals; required to approve
---@field fee_percentage number? share of the advance, at most four decimals; required to approve
---@field reasons string[]? short names for reviewers

---Result of a recourse rule: nil (the usual bearers), or the parts of the amount. They must add up to it.
---@class tideover.RecourseResult
---@field future_residuals_cents integer? the practice owes it; later residuals pay it
---@field reserve_cents integer? the reserve of the practice; at most what it holds, except for an overpayment
---@field funder_cents integer? loss of the funder; never of an overpayment
---@field reasons string[]? short names for reviewers

---Converts dollars to integer cents: usd(250.00) is 25000. A fraction of a cent is an error.
---@param dollars number
---@return integer cents
function usd(dollars) end

---A percentage of an amount, rounded half to even: pct(1000, 80) is 800.
---@param cents integer
---@param percent number at most two decimals
---@return integer cents
function pct(cents, percent) end

---Converts a share to basis points: bps(0.20) is 2000.
---@param share number at most four decimals
---@return integer
function bps(share) end

---Whether the text is an NPI: ten digits, the first 1 or 2, and a valid check digit.
---@param npi string
---@return boolean
function npi_check(npi) end

---Whether the text has the form of a CPT or HCPCS code.
---@param code string
---@return boolean
function procedure_code_ok(code) end

---Whether the text is empty, or up to four two-character modifiers.
---@param modifiers string
---@return boolean
function modifiers_ok(modifiers) end

---Returns the table that lib/<name>.lua returns. Only at the top level of a file.
---@param name string
---@return table
function lib(name) end

---Returns a reference table of the bundle. Rows are found by their whole key. If rows are valid for a period, the last
---argument is a day number. A key without a row is not an error: get returns nil. Only at the top level of a file.
---@class tideover.Table
---@field get fun(...): table? the row, with one field per column; nil for an empty cell
---@field has fun(...): boolean whether a row with this key exists
---@field lists fun(first: string|integer): boolean whether a key begins with this value, on any day
---@field row_count integer
---@param name string <name> of tables/<name>.lua
---@return tideover.Table
function table(name) end

---@param list table
function ipairs(list) end

---Iterates in the order of the keys: numbers, then texts.
---@param map table
function pairs(map) end

---@param message string
function error(message) end

---Text of a number, text, boolean or nil. For any other value the name of its type.
---@return string
function tostring(value) end

---Converts a number, or a text of at most 64 bytes, to a number. nil if it is none.
---@return number?
function tonumber(value) end

---@return string
function type(value) end

function select(index, ...) end

string = {}
---@return integer
function string.len(text) end
---@return string
function string.sub(text, from, to) end
---@return integer ...
function string.byte(text, from, to) end
---@return string
function string.upper(text) end
---@return string
function string.lower(text) end
---The result has at most 4096 bytes.
---@return string
function string.rep(text, times) end
---Finds plain text. There are no patterns.
---@return integer? first
---@return integer? last
function string.find(text, wanted, from) end

math = { maxinteger = 0, mininteger = 0 }
function math.abs(x) end
function math.ceil(x) end
function math.floor(x) end
function math.fmod(x, y) end
function math.max(x, ...) end
function math.min(x, ...) end
function math.tointeger(x) end
function math.type(x) end
function math.ult(x, y) end
