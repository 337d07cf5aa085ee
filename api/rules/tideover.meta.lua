---@meta
-- Everything a rule can see, for an editor with a Lua language server. Nothing runs this file. Dates are days since
-- 1970-01-01, money is integer cents, rates are integer basis points (10000 = 1).

---A claim as it was submitted. Read-only; an unknown field is an error.
---@class tideover.Claim
---@field claim_identifier string
---@field facility string? facility code
---@field servicer_npi string ten digits
---@field billing_npi string ten digits
---@field payer_id string as sent; payer.id is the directory's
---@field amount_cents integer submitted amount
---@field date_of_service integer? day number
---@field date_of_submission integer? day number
---@field days_to_submission integer? from service to submission, to today when not yet submitted
---@field today integer day number
---@field lines tideover.Line[] service lines, from 1
---@field line_count integer
---@field lines_difference_cents integer lines_total_cents - amount_cents
---@field lines_total_cents integer sum of the lines' amounts; a line without one counts 0
---@field duplicates integer earlier claims of another identifier that look like the same service
---@field diagnosis_codes string[] upper case, without the point, the principal one first
---@field place_of_service string? two digits of CMS's list
---@field patient_age_from integer? whole years
---@field patient_age_to integer? whole years, included
---@field patient_sex string? "F", "M" or "U"
---@field prior_authorization boolean? whether the payer agreed beforehand
---@field claim_frequency_code string? "1" original, "6" corrected, "7" replacement, "8" void
---@field payer_sequence string? "primary", "secondary" or "tertiary", which stands for later ones too
---@field paid_by_others_cents integer? by payers before this one
---@field patient_paid_cents integer?
---@field benefits_assigned boolean? false: the payer pays the patient
---@field accepts_assignment boolean? whether the provider takes what the payer allows
---@field is_encounter boolean? reported under a capitation: nothing is paid for it
---@field is_test boolean? of a test interchange
---@field pay_to_plan boolean? the payer pays another plan
---@field history tideover.History

---What earlier claims and their remittances say, as of the day of the review.
---@class tideover.History
---@field known boolean false: nothing of it is known
---@field payer_responses integer first responses of this payer
---@field payer_denied_bps integer of them denied
---@field pair_responses integer first responses of this payer to billing and servicing NPI together
---@field pair_paid integer of them paid
---@field chart_last_payer string? who paid a claim of this chart last
---@field chart_last_paid_days integer? how many days ago
---@field chart_eligibility_denials integer same chart and payer, in 180 days, none paid since
---@field chart_seen_by_servicer boolean a visit that was paid, in three years
---@field likely_duplicates integer same chart, payer, amount and day of service, or within 45 days without one
---@field distinct_modifier_bps integer share of this provider's edit pairs with 59 or an X modifier
---@field distinct_modifier_usual_bps integer? 95 % of the payer's providers have at most this
---@field days_since_surgery integer? last procedure with a global period, same servicing NPI and chart
---@field surgery_global_days integer of that procedure

---@class tideover.Line
---@field cpt string upper case, without blanks and hyphens
---@field modifier string normal form "25:59"; "" for none; as sent when malformed
---@field units_milli integer units x 1000
---@field amount_cents integer?
---@field number integer from 1
---@field same_as integer? number of the first line with the same code and modifiers, if it stands before this one
---@field history tideover.LineHistory

---First responses of this payer to this procedure, and what its price usually is. All zero or nil where nothing is known.
---@class tideover.LineHistory
---@field responses integer
---@field denied_bps integer shrunk towards the payer's
---@field denied_low_bps integer lower end of the 90 % interval
---@field denied_low_times integer how many times the payer's own rate denied_low_bps is, rounded down
---@field charge_is_unusual boolean whether the line's amount is above unusual_charge_cents
---@field top_carc string? of most of its denials
---@field unusual_charge_cents integer? 99.5 % of this provider's charges for the procedure were at most this
---@field medicare_fee_cents integer? of the loaded fee schedule, for all units

---The directory's record; default rates when the payer is not known.
---@class tideover.Payer
---@field id string
---@field known boolean
---@field near_id string? id of the payer that an unknown one may be meant for: it differs by zeros in front alone
---@field name string
---@field status string "active" or "inactive"
---@field timely_filing_days integer
---@field supports_advance boolean
---@field denial_rate_bps integer share of claims denied at first response
---@field allowed_rate_bps integer allowed amount / billed charge
---@field patient_share_bps integer share of the allowed amount that the patient owes
---@field median_days_to_pay integer submission to funds posted
---@field p80_days_to_pay integer

---A finished review, for terms rules. Of its functions every argument and answer is in basis points, 0 to 10000; an advance is a share of expected_cents,
---and what is paid is what comes within 90 days of submission. Without a record of the payer all of the expected amount comes or nothing does.
---@class tideover.Review
---@field denial_probability_bps integer
---@field denial_predicted boolean
---@field confidence_bps integer probability of a payment on or before the expected date
---@field expected_cents integer probability-weighted payer payment
---@field allowed_cents integer
---@field submitted_cents integer
---@field days_to_payment integer from today to the expected payment date
---@field warnings integer how many
---@field payer_known boolean
---@field payer_supports_advance boolean true when the payer is unknown
---@field amount_source string what expected_cents rests on: "remembered" (every line was allowed at its price before, or has it by contract), "ratio" (the record's shares of the charge), "published" (the directory's rates), "unknown_payer"
---@field evidence integer answered claims of this payer behind it; 0: the record does not count
---@field record_weight_bps integer of the record against published rates, by its evidence
---@field denial_low_bps integer 90 % interval of denial_probability_bps; the same without a record
---@field denial_high_bps integer
---@field nonpayment_bps integer probability that the payer pays nothing in the end
---@field expected_loss_bps fun(advance_bps:integer):integer expected loss of such an advance, as a share of it; where nothing is paid all of it is lost
---@field shortfall_bps fun(advance_bps:integer):integer probability that less than the advance is paid
---@field largest_advance_bps fun(most_bps:integer,loss_bps:integer,shortfall_bps:integer):integer most_bps, or as many whole percents below it as these caps on expected loss and shortfall leave; both are of claims of which something is paid
---@field payer_open_cents integer open advances on this payer's claims, without this one
---@field provider_open_cents integer open advances to this claim's billing provider, without this one
---@field advanced_30_days_cents integer by the tenant, today among the days
---@field lost_30_days_cents integer of advances, in those days
---@field claim_frequency_code string? "1" original, "6" corrected, "7" replacement, "8" void
---@field payer_sequence string? "primary", "secondary" or "tertiary", which stands for later ones too
---@field paid_by_others_cents integer? by payers before this one
---@field patient_paid_cents integer?
---@field benefits_assigned boolean? false: the payer pays the patient
---@field accepts_assignment boolean? whether the provider takes what the payer allows
---@field is_encounter boolean? reported under a capitation: nothing is paid for it
---@field is_test boolean? of a test interchange
---@field pay_to_plan boolean? the payer pays another plan
---@field rail string "RTP", "SAME_DAY" or "FUTURE_DATE"
---@field today integer day number

---What a denial rule returns: nil, true, one finding, or a list (the first 50 count).
---@class tideover.FindingResult
---@field probability number? P(denied | this finding), above 0, at most 1; default: the rule's weight
---@field line integer? index into claim.lines
---@field amount_at_risk_cents integer? default: the line's amount, else the claim's
---@field note string? added to the summary; at most 200 bytes
---@field field string? the request field at fault, instead of the rule's own
---@field carc string? what the payer would answer, instead of the rule's own

---What a terms rule returns.
---@class tideover.TermsResult
---@field decision string "approved", "declined" or "manual_review"
---@field advance_percentage number? share of the expected reimbursement, at most four decimals; needed to approve
---@field fee_percentage number? share of the advance, at most four decimals; needed to approve
---@field reasons string[]?

---Dollars to integer cents: usd(250.00) is 25000. Half a cent is an error.
---@param dollars number
---@return integer cents
function usd(dollars) end

---A percentage of cents, half-even: pct(1000, 80) is 800.
---@param cents integer
---@param percent number at most two decimals
---@return integer cents
function pct(cents, percent) end

---A share in basis points: bps(0.20) is 2000.
---@param share number at most four decimals
---@return integer
function bps(share) end

---Ten digits, the first 1 or 2, and a good check digit.
---@param npi string
---@return boolean
function npi_check(npi) end

---CPT or HCPCS in form.
---@param code string
---@return boolean
function procedure_code_ok(code) end

---None, or up to four two-character modifiers.
---@param modifiers string
---@return boolean
function modifiers_ok(modifiers) end

---The table that lib/<name>.lua returns. At the top of a file only.
---@param name string
---@return table
function lib(name) end

---A reference table of the bundle, looked up by its whole key; the last argument is a day number where its rows hold for a time.
---A code, date or text that no row has is no error: get gives nil. At the top of a file only.
---@class tideover.Table
---@field get fun(...): table? the row: one field per column; nil for an empty cell
---@field has fun(...): boolean
---@field lists fun(first: string|integer): boolean whether any key begins so, whenever it holds
---@field row_count integer
---@param name string of tables/<name>.lua
---@return tideover.Table
function table(name) end

---@param list table
function ipairs(list) end

---In the order of the keys: numbers, then texts.
---@param map table
function pairs(map) end

---@param message string
function error(message) end

---Numbers, texts, booleans and nil as text; the type's name for anything else.
---@return string
function tostring(value) end

---A number, or a text of at most 64 bytes that is one.
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
---At most 4096 bytes.
---@return string
function string.rep(text, times) end
---Plain text, no patterns.
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
