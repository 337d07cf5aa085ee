#include "core/lua/ruleset/case_input.hpp"

#include <functional>

#include "core/domain/basics/within.hpp"
#include "core/lua/ruleset/ruleset.hpp"

namespace tideover::lua {
namespace {

using domain::Date;
using domain::Money;

const Date kToday = Date::from_ymd(2026, 6, 15).value();

/// Reads each table of the list with this key.
using ReadList = std::function<void(const char* key, const std::function<void(TableReader&)>& read)>;

std::optional<Date> read_date(TableReader& table, const char* key) {
  const auto text = table.text(key);
  if (!text) return std::nullopt;
  const auto date = domain::parse_date(*text);
  if (!date) table.complain(key, std::string(key) + " must be a date such as '2026-01-31', not '" + *text + "'");
  return date;
}

/// The common fields of a claim and of its review.
void read_coordination(TableReader& given, domain::ClaimDetails& details) {
  const auto amount = [&](const char* key) -> std::optional<Money> {
    const auto cents = given.integer(key);
    return cents ? std::optional(Money::cents(*cents)) : std::nullopt;
  };
  details.claim_frequency_code = given.text("claim_frequency_code").value_or("");
  details.payer_sequence = given.one_of("payer_sequence", {"primary", "secondary", "tertiary"}).value_or("");
  details.paid_by_others = amount("paid_by_others_cents");
  details.patient_paid = amount("patient_paid_cents");
  details.benefits_assigned = given.boolean("benefits_assigned");
  details.accepts_assignment = given.boolean("accepts_assignment");
  details.is_encounter = given.boolean("is_encounter");
  details.is_test = given.boolean("is_test");
  details.pay_to_plan = given.boolean("pay_to_plan");
  if (given.one_of("claim_type", {"professional", "institutional"}) ==
      domain::name_of(domain::ClaimType::institutional))
    details.institutional.emplace();
}

/// Of a claim of this type: any other one lacks these fields, and its case must not give them.
void read_institutional(TableReader& claim, domain::InstitutionalDetails& details, const ReadList& read_list) {
  const auto text = [&](const char* key, std::string& into) {
    if (auto value = claim.text(key)) into = *value;
  };
  text("type_of_bill", details.type_of_bill);
  details.statement_from = read_date(claim, "statement_from");
  details.statement_through = read_date(claim, "statement_through");
  details.admission_date = read_date(claim, "admission_date");
  details.discharge_date = read_date(claim, "discharge_date");
  text("admission_type", details.admission_type);
  text("admission_source", details.admission_source);
  text("patient_status", details.patient_status);
  text("attending_npi", details.attending_npi);
  text("operating_npi", details.operating_npi);
  text("drg", details.drg);
  using Texts = std::vector<std::string>;
  details.present_on_admission = claim.texts("present_on_admission").value_or(Texts{});
  details.condition_codes = claim.texts("condition_codes").value_or(Texts{});
  read_list("occurrence_codes", [&](TableReader& code) {
    details.occurrence_codes.push_back(
        {code.text("code").value_or(""), read_date(code, "date").value_or(domain::Date{})});
  });
  read_list("occurrence_spans", [&](TableReader& span) {
    details.occurrence_spans.push_back({span.text("code").value_or(""),
                                        read_date(span, "from").value_or(domain::Date{}),
                                        read_date(span, "through").value_or(domain::Date{})});
  });
  read_list("value_codes", [&](TableReader& code) {
    details.value_codes.push_back(
        {code.text("code").value_or(""), Money::cents(code.integer("amount_cents").value_or(0))});
  });
}

void read_details(TableReader& claim, domain::ClaimDetails& details) {
  details.diagnosis_codes = claim.texts("diagnosis_codes").value_or(details.diagnosis_codes);
  details.place_of_service = claim.text("place_of_service").value_or("");
  details.patient_sex = claim.text("patient_sex").value_or("");
  details.prior_authorization = claim.boolean("prior_authorization");
  read_coordination(claim, details);
  const auto from = claim.integer("patient_age_from"), to = claim.integer("patient_age_to");
  if (from || to)
    details.patient_age =
        domain::AgeBand{static_cast<int>(from.value_or(0)), static_cast<int>(to.value_or(domain::AgeBand::kOldest))};
}

}  // namespace

ClaimCase::ClaimCase() : today(kToday) {
  claim.claim_identifier = "CASE-1";
  claim.date_of_service = kToday.plus(-14);
  claim.date_of_submission = kToday.plus(-7);
  claim.servicer_npi = "1234567893";
  claim.billing_npi = "1999999984";
  claim.payer_id = "P1000";
  claim.submitted_amount = Money::cents(100'000);
  claim.service_lines.push_back({"99213", "", 1000, Money::cents(100'000)});
  payer.payer_id = "P1000";
  payer.name = "Example Health Plan";
}

ports::ClaimFacts ClaimCase::facts() const {
  ports::ClaimFacts facts{claim, payer, payer_known, profile, today, duplicates, history ? &*history : nullptr};
  facts.near_payer = near_payer;
  return facts;
}

TermsCase::TermsCase() {
  review.forecast.denial_probability_bps = 800;
  review.forecast.confidence_bps = 8000;
  review.forecast.allowed = Money::cents(65'000);
  review.forecast.expected = Money::cents(52'000);
  review.forecast.payment_date = kToday.plus(30);
  review.cash = domain::CashOdds::all_or_nothing(480);
  review.submitted_amount = Money::cents(100'000);
}

ports::TermsFacts TermsCase::facts() const {
  return {review, rail, kToday, payer_supports_advance, portfolio, false, details};
}

ClaimCase CaseInput::claim_case(TableReader& table) {
  ClaimCase given;
  if (const auto today = read_date(table, "today")) given.today = *today;
  if (const auto profile = table.one_of("profile", {"lenient", "standard", "strict"}))
    for (const auto each : kProfiles)
      if (name_of(each) == *profile) given.profile = each;
  read_claim(table, given);
  read_payer(table, given);
  return given;
}

TermsCase CaseInput::terms_case(TableReader& table) {
  TermsCase terms;
  if (table.push("review") != LUA_TNIL) {
    TableReader given(state_, -1, "review", complain_);
    read_review(given, terms);
    given.refuse_other_fields();
  }
  lua_pop(state_, 1);
  return terms;
}

RecourseCase CaseInput::recourse_case(TableReader& table) {
  using Event = domain::RecourseEvent;
  RecourseCase recourse;
  auto& facts = recourse.facts;
  table.require("event");
  if (table.push("event") == LUA_TTABLE) {
    TableReader given(state_, -1, "event", complain_);
    for (const char* key : {"kind", "amount_cents"}) given.require(key);
    const auto kind =
        given.one_of("kind", {"takeback", "overpayment", "foreign_recovery", "returned_deposit", "short_payment"});
    if (kind) facts.event = domain::recourse_event_named(*kind).value_or(Event::takeback);
    const auto cents = [&](const char* key, Money& into) {
      const auto amount = given.integer(key);
      if (amount) into = Money::cents(*amount);
      return amount.has_value();
    };
    cents("amount_cents", facts.amount);
    const bool has_future = cents("usual_future_residuals_cents", facts.usual.future_residuals);
    const bool has_reserve = cents("usual_reserve_cents", facts.usual.reserve);
    const bool has_funder = cents("usual_funder_cents", facts.usual.funder);
    if (!has_future && !has_reserve && !has_funder) {
      const bool is_of_funder = facts.event == Event::takeback || facts.event == Event::short_payment;
      (is_of_funder ? facts.usual.funder : facts.usual.future_residuals) = facts.amount;
    }
    facts.payer_id = given.text("payer_id").value_or("SAMPLE-80");
    facts.payee_npi = given.text("payee_npi").value_or("1999999984");
    cents("advance_cents", facts.advance);
    cents("paid_out_cents", facts.paid_out);
    cents("owed_cents", facts.owed);
    cents("carried_cents", facts.carried);
    cents("reserve_cents", facts.reserve);
    if (const auto days = given.integer("days_since_funding")) facts.days_since_funding = static_cast<int>(*days);
    given.refuse_other_fields();
    if (facts.usual.sum() != facts.amount) given.complain("", "the usual bearers do not add up to amount_cents");
  }
  lua_pop(state_, 1);
  return recourse;
}

/// A date, or `false` for a claim without one.
void CaseInput::read_claim_date(TableReader& claim, const char* key, std::optional<Date>& date) {
  const int type = claim.push(key);
  lua_pop(state_, 1);
  if (type == LUA_TBOOLEAN)
    date.reset();
  else if (const auto given = read_date(claim, key))
    date = given;
}

void CaseInput::read_claim(TableReader& table, ClaimCase& given) {
  if (table.push("claim") != LUA_TNIL) {
    TableReader claim(state_, -1, "claim", complain_);
    auto& draft = given.claim;
    const auto text = [&](const char* key, std::string& into) {
      if (auto value = claim.text(key)) into = *value;
    };
    text("claim_identifier", draft.claim_identifier);
    text("facility", draft.facility);
    text("servicer_npi", draft.servicer_npi);
    text("billing_npi", draft.billing_npi);
    text("payer_id", draft.payer_id);
    if (const auto cents = claim.integer("amount_cents")) draft.submitted_amount = Money::cents(*cents);
    read_claim_date(claim, "date_of_service", draft.date_of_service);
    read_claim_date(claim, "date_of_submission", draft.date_of_submission);
    if (const auto count = claim.integer("duplicates")) given.duplicates = static_cast<int>(*count);
    read_details(claim, draft.details);
    if (draft.details.institutional)
      read_institutional(claim, *draft.details.institutional, [&](const char* key, const auto& read) {
        if (claim.push(key) != LUA_TNIL) {
          TableReader list(state_, -1, key, complain_);
          list.each_element([&](int) {
            TableReader element(state_, -1, std::string("an element of ") + key, complain_);
            read(element);
            element.refuse_other_fields();
          });
        }
        lua_pop(state_, 1);
      });
    if (claim.push("history") != LUA_TNIL) given.history = read_history();
    lua_pop(state_, 1);
    if (claim.push("lines") != LUA_TNIL) {
      draft.service_lines.clear();
      TableReader lines(state_, -1, "lines", complain_);
      lines.each_element([&](int) { read_line(given); });
    }
    lua_pop(state_, 1);
    claim.refuse_other_fields();
  }
  lua_pop(state_, 1);
}

/// A claim with any history has a known history.
domain::ClaimHistory CaseInput::read_history() {
  TableReader table(state_, -1, "history", complain_);
  domain::ClaimHistory history;
  const auto number = [&](const char* key, int& into) {
    if (const auto given = table.integer(key)) into = static_cast<int>(*given);
  };
  const auto maybe = [&](const char* key, std::optional<int>& into) {
    if (const auto given = table.integer(key)) into = static_cast<int>(*given);
  };
  number("payer_responses", history.payer.responses);
  number("payer_denied_bps", history.payer.denied_bps);
  number("pair_responses", history.pair_responses);
  number("pair_paid", history.pair_paid);
  history.chart_last_paid_payer = table.text("chart_last_payer").value_or("");
  maybe("chart_last_paid_days", history.chart_last_paid_days);
  number("chart_eligibility_denials", history.chart_eligibility_denials);
  history.chart_seen_by_servicer = table.boolean("chart_seen_by_servicer").value_or(false);
  number("likely_duplicates", history.likely_duplicates);
  number("distinct_modifier_bps", history.distinct_modifier_bps);
  maybe("distinct_modifier_usual_bps", history.distinct_modifier_usual_bps);
  maybe("days_since_surgery", history.days_since_surgery);
  number("surgery_global_days", history.surgery_global_days);
  table.refuse_other_fields();
  return history;
}

domain::LineHistory CaseInput::read_line_history() {
  TableReader table(state_, -1, "history", complain_);
  domain::LineHistory history;
  const auto number = [&](const char* key) { return static_cast<int>(table.integer(key).value_or(0)); };
  history.payer_code = {number("responses"), number("denied_bps"), number("denied_low_bps"),
                        table.text("top_carc").value_or("")};
  if (const auto cents = table.integer("unusual_charge_cents")) history.unusual_charge = Money::cents(*cents);
  if (const auto cents = table.integer("medicare_fee_cents")) history.medicare_fee = Money::cents(*cents);
  table.refuse_other_fields();
  return history;
}

void CaseInput::read_line(ClaimCase& given) {
  TableReader table(state_, -1, "a line", complain_);
  domain::ServiceLine line{table.text("cpt").value_or("99213"), table.text("modifier").value_or(""),
                           table.integer("units_milli").value_or(1000), std::nullopt};
  if (const auto cents = table.integer("amount_cents")) line.amount = Money::cents(*cents);
  line.revenue_code = table.text("revenue_code").value_or("");
  if (table.push("history") != LUA_TNIL) {
    if (!given.history) given.history.emplace();
    given.history->lines.resize(given.claim.service_lines.size());
    given.history->lines.push_back(read_line_history());
  }
  lua_pop(state_, 1);
  table.refuse_other_fields();
  given.claim.service_lines.push_back(std::move(line));
}

void CaseInput::read_payer(TableReader& table, ClaimCase& given) {
  if (table.push("payer") != LUA_TNIL) {
    TableReader payer(state_, -1, "payer", complain_);
    if (auto id = payer.text("id")) given.payer.payer_id = *id;
    if (auto name = payer.text("name")) given.payer.name = *name;
    if (auto status = payer.text("status")) given.payer.status = *status;
    if (const auto days = payer.integer("timely_filing_days")) given.payer.timely_filing_days = static_cast<int>(*days);
    if (const auto yes = payer.boolean("supports_advance")) given.payer.supports_advance = *yes;
    if (const auto bps = payer.integer("denial_rate_bps")) given.payer.rates.denial_bps = static_cast<int>(*bps);
    given.payer_known = payer.boolean("known").value_or(true);
    given.near_payer = payer.text("near_id").value_or("");
    payer.refuse_other_fields();
  }
  lua_pop(state_, 1);
}

void CaseInput::read_review(TableReader& given, TermsCase& terms) {
  auto& review = terms.review;
  auto& forecast = review.forecast;
  if (const auto bps = given.integer("denial_probability_bps"))
    forecast.denial_probability_bps = static_cast<int>(*bps);
  if (const auto bps = given.integer("confidence_bps")) forecast.confidence_bps = static_cast<int>(*bps);
  if (const auto cents = given.integer("expected_cents")) forecast.expected = Money::cents(*cents);
  if (const auto cents = given.integer("allowed_cents")) forecast.allowed = Money::cents(*cents);
  if (const auto cents = given.integer("submitted_cents")) review.submitted_amount = Money::cents(*cents);
  if (const auto days = given.integer("days_to_payment")) forecast.payment_date = kToday.plus(static_cast<int>(*days));
  if (const auto count = given.integer("warnings"))
    review.warnings.resize(static_cast<std::size_t>(domain::within<std::int64_t>(*count, 0, 100)));
  forecast.denial_predicted = given.boolean("denial_predicted").value_or(false);
  review.payer_known = given.boolean("payer_known").value_or(true);
  terms.payer_supports_advance = given.boolean("payer_supports_advance").value_or(true);
  read_record(given, review);
  const auto cents = [&](const char* key, Money& into) {
    if (const auto amount = given.integer(key)) into = Money::cents(*amount);
  };
  cents("payer_open_cents", terms.portfolio.payer_open);
  cents("provider_open_cents", terms.portfolio.provider_open);
  cents("advanced_30_days_cents", terms.portfolio.advanced);
  cents("lost_30_days_cents", terms.portfolio.lost);
  if (auto text = given.text("rail")) terms.rail = *text;
  read_coordination(given, terms.details);
}

/// Further values of the tenant's record: a case with any of them is a review in which the record counts.
/// `below_bps` is the list of P(less is paid) at 5 %, 10 %, ... of the expected payment; its last number applies to
/// the rest.
void CaseInput::read_record(TableReader& given, domain::Review& review) {
  const auto source = given.one_of("amount_source", {"remembered", "ratio", "published", "unknown_payer"});
  const auto evidence = given.integer("evidence"), low = given.integer("denial_low_bps"),
             high = given.integer("denial_high_bps");
  const auto weight = given.integer("record_weight_bps");
  if (evidence || low || high || weight || source == "remembered" || source == "ratio") {
    const int probability = review.forecast.denial_probability_bps;
    review.learned.emplace();
    review.learned->evidence = static_cast<int>(evidence.value_or(100));
    review.learned->denial_low_bps = static_cast<int>(low.value_or(probability));
    review.learned->denial_high_bps = static_cast<int>(high.value_or(probability));
    review.learned->weight_bps = static_cast<int>(weight.value_or(domain::kOneInBps));
    review.learned->amount_remembered = source == "remembered";
  }
  if (source == "unknown_payer") review.payer_known = false;
  review.cash = domain::CashOdds::all_or_nothing(
      static_cast<int>(given.integer("nonpayment_bps").value_or(review.cash.nonpayment_bps)));
  if (given.push("below_bps") != LUA_TNIL) {
    TableReader list(state_, -1, "below_bps",
                     [&](std::string_view, std::string message) { given.complain("below_bps", std::move(message)); });
    list.each_element([&](int step) {
      if (lua_isinteger(state_, -1) == 0)
        return given.complain("below_bps", "below_bps must be a list of basis points");
      for (auto at = static_cast<std::size_t>(step); at <= review.cash.below_bps.size(); ++at)
        review.cash.below_bps[at - 1] = static_cast<int>(lua_tointeger(state_, -1));
    });
  }
  lua_pop(state_, 1);
}

}  // namespace tideover::lua
