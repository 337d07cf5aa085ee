#include "core/lua/ruleset/cases.hpp"

#include <algorithm>

#include "core/domain/basics/within.hpp"
#include "core/lua/ruleset/lint.hpp"
#include "core/lua/ruleset/program.hpp"
#include "core/lua/vm/rates.hpp"
#include "core/lua/vm/table_reader.hpp"

namespace tideover::lua {
namespace {

using domain::Date;
using domain::Money;

const Date kToday = Date::from_ymd(2026, 6, 15).value();

/// The valid claim that every case starts from.
struct ClaimCase {
  domain::ClaimDraft claim;
  domain::Payer payer;
  bool payer_known = true;
  domain::ValidationProfile profile = domain::ValidationProfile::standard;
  Date today = kToday;
  int duplicates = 0;
  std::optional<domain::ClaimHistory> history;
  std::string near_payer;

  ClaimCase() {
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
  ports::ClaimFacts facts() const {
    ports::ClaimFacts facts{claim, payer, payer_known, profile, today, duplicates, history ? &*history : nullptr};
    facts.near_payer = near_payer;
    return facts;
  }
};

/// The review that every terms case starts from: clearly within approval.
domain::Review clean_review() {
  domain::Review review;
  review.forecast.denial_probability_bps = 800;
  review.forecast.confidence_bps = 8000;
  review.forecast.allowed = Money::cents(65'000);
  review.forecast.expected = Money::cents(52'000);
  review.forecast.payment_date = kToday.plus(30);
  review.cash = domain::CashOdds::all_or_nothing(480);
  review.submitted_amount = Money::cents(100'000);
  return review;
}

class CaseFile {
 public:
  CaseFile(Program& program, const Limits& limits, Coverage* coverage, Sandbox& sandbox, std::string file,
           CaseReport& report)
      : program_(program),
        limits_(limits),
        coverage_(coverage),
        ruleset_(*program.ruleset()),
        state_(sandbox.state()),
        file_(std::move(file)),
        report_(report) {}

  /// Runs the cases of the file; its result is on top of the stack.
  void run() {
    TableReader table(state_, -1, "a file of cases", complain());
    for (const char* key : {"rule", "cases"}) table.require(key);
    const std::string rule = table.text("rule").value_or("");
    const auto found =
        std::find_if(ruleset_.denial.begin(), ruleset_.denial.end(), [&](const auto& r) { return r.id == rule; });
    const bool is_terms = !rule.empty() && rule == ruleset_.terms.id;
    const bool runs = is_terms || found != ruleset_.denial.end();
    if (!rule.empty() && !runs && !known_to_bundle(rule)) fault(rule, "there is no rule '" + rule + "'");
    if (table.push("cases") == LUA_TTABLE && runs) {
      TableReader list(state_, -1, "cases", complain());
      list.each_element([&](int index) {
        const int faults_before = static_cast<int>(report_.errors.size());
        const auto fires = is_terms ? run_terms_case(index)
                                    : run_denial_case(index, static_cast<std::size_t>(found - ruleset_.denial.begin()));
        // A failed rule has its own fault; the missing kinds of cases are then not reported.
        auto& names = report_.rules[rule];
        if (fires.value_or(true)) names.fired.push_back(case_name_);
        if (!fires.value_or(false)) names.silent.push_back(case_name_);
        ++(static_cast<int>(report_.errors.size()) == faults_before ? report_.passed : report_.failed);
      });
    }
    lua_pop(state_, 1);
    table.refuse_other_fields();
  }

 private:
  TableReader::Complain complain() {
    return [this](std::string_view word, std::string message) { fault(word, std::move(message)); };
  }
  void fault(std::string_view word, std::string message) {
    report_.errors.push_back(error_at_word(*ruleset_.bundle, file_, word, std::move(message)));
  }
  /// A fault of the rule in a case: its position is in the rule, not in the case. Reported once, however many cases
  /// have it.
  void rule_fault(const std::string& rule_file, const std::string& problem, const std::string& case_name) {
    auto error = error_from_lua(*ruleset_.bundle, rule_file, problem);
    const bool is_reported = std::any_of(report_.errors.begin(), report_.errors.end(), [&](const RuleFileError& e) {
      return e.file == error.file && e.line == error.line && e.message.starts_with(error.message);
    });
    if (is_reported) return;
    error.message += " (in case '" + case_name + "')";
    report_.errors.push_back(std::move(error));
  }
  /// A rule whose file has faults is not in the ruleset; its cases are skipped until it is valid.
  bool known_to_bundle(std::string id) const {
    std::replace(id.begin(), id.end(), '.', '/');
    return ruleset_.bundle->has(id + ".lua");
  }

  /// Reports faults of this case at its name.
  TableReader::Complain complain_of(const std::string& name) {
    return [this, name](std::string_view, std::string message) { fault(name, "case '" + name + "': " + message); };
  }

  std::string name_of_case(int index) {
    std::string name;
    push_content(state_, -1);
    lua_pushliteral(state_, "name");
    if (lua_istable(state_, -2) && lua_rawget(state_, -2) == LUA_TSTRING) name = lua_tostring(state_, -1);
    lua_pop(state_, 2);
    if (name.empty()) fault("cases", "case " + std::to_string(index) + " needs a name");
    return case_name_ = name;
  }

  /// True when the rule found something; nullopt when it failed.
  std::optional<bool> run_denial_case(int index, std::size_t rule) {
    const std::string name = name_of_case(index);
    const auto complain = complain_of(name);
    TableReader table(state_, -1, "a case", complain);
    table.text("name");
    ClaimCase given;
    if (const auto today = read_date(table, "today")) given.today = *today;
    if (const auto profile = table.one_of("profile", {"lenient", "standard", "strict"}))
      for (const auto each : kProfiles)
        if (name_of(each) == *profile) given.profile = each;
    read_claim(table, given, complain);
    read_payer(table, given, complain);

    const auto other = read_params(table, complain);
    Program& program = other ? *other : program_;
    std::vector<domain::Finding> findings;
    FactReads reads;
    TableReads table_reads;
    const auto errors_before = report_.errors.size();
    const auto problem = program.run_denial(rule, given.facts(), findings, reads, table_reads);
    if (problem) rule_fault(ruleset_.denial[rule].file, *problem, name);
    for (const auto& kept : program.settle()) complain("", kept.problem);

    table.has("expect");
    if (!problem) compare_findings(table, findings, complain);
    for (auto i = errors_before; i < report_.errors.size(); ++i) report_.errors[i].notes = notes_of(reads, table_reads);
    table.refuse_other_fields();
    return problem ? std::nullopt : std::optional(!findings.empty());
  }

  /// The first facts that the rule read in a failed case.
  static std::vector<std::string> notes_of(const FactReads& reads, const TableReads& table_reads) {
    constexpr std::size_t kMostNotes = 12;
    std::vector<std::string> notes;
    const auto add = [&](std::string note) {
      if (notes.size() < kMostNotes && std::find(notes.begin(), notes.end(), note) == notes.end())
        notes.push_back(std::move(note));
    };
    for (const auto& read : reads.all())
      add("it read " + name_of(read.question) + " = " + text_of(read.question, read.value));
    for (const auto& read : table_reads.all()) add("it read " + name_of(read) + " = " + text_of(read));
    return notes;
  }

  /// The rules with the parameters that a case overrides; null when it overrides none.
  std::unique_ptr<Program> read_params(TableReader& table, const TableReader::Complain& complain) {
    std::unique_ptr<Program> program;
    if (table.push("params") != LUA_TNIL) {
      TableReader given(state_, -1, "params", complain);
      auto changed = std::make_shared<Ruleset>(ruleset_);
      for (auto& param : changed->params) {
        if (std::holds_alternative<bool>(param.value))
          param.value = given.boolean(param.name.c_str()).value_or(std::get<bool>(param.value));
        if (std::holds_alternative<std::int64_t>(param.value))
          param.value = given.integer(param.name.c_str()).value_or(std::get<std::int64_t>(param.value));
        if (std::holds_alternative<double>(param.value))
          param.value = given.number(param.name.c_str()).value_or(std::get<double>(param.value));
        if (std::holds_alternative<std::string>(param.value))
          param.value = given.text(param.name.c_str()).value_or(std::get<std::string>(param.value));
      }
      given.refuse_other_fields();
      program = std::make_unique<Program>(changed, changed->sample_tables, limits_, coverage_);
    }
    lua_pop(state_, 1);
    return program;
  }

  static std::optional<Date> read_date(TableReader& table, const char* key) {
    const auto text = table.text(key);
    if (!text) return std::nullopt;
    const auto date = domain::parse_date(*text);
    if (!date) table.complain(key, std::string(key) + " must be a date such as '2026-01-31', not '" + *text + "'");
    return date;
  }

  /// A date, or `false` for a claim without one.
  void read_claim_date(TableReader& claim, const char* key, std::optional<Date>& date) {
    const int type = claim.push(key);
    lua_pop(state_, 1);
    if (type == LUA_TBOOLEAN)
      date.reset();
    else if (const auto given = read_date(claim, key))
      date = given;
  }

  void read_claim(TableReader& table, ClaimCase& given, const TableReader::Complain& complain) {
    if (table.push("claim") != LUA_TNIL) {
      TableReader claim(state_, -1, "claim", complain);
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
      if (claim.push("history") != LUA_TNIL) given.history = read_history(complain);
      lua_pop(state_, 1);
      if (claim.push("lines") != LUA_TNIL) {
        draft.service_lines.clear();
        TableReader lines(state_, -1, "lines", complain);
        lines.each_element([&](int) { read_line(given, complain); });
      }
      lua_pop(state_, 1);
      claim.refuse_other_fields();
    }
    lua_pop(state_, 1);
  }

  static void read_details(TableReader& claim, domain::ClaimDetails& details) {
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

  /// The common fields of a claim and of its review.
  static void read_coordination(TableReader& given, domain::ClaimDetails& details) {
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
  }

  /// A claim with any history has a known history.
  domain::ClaimHistory read_history(const TableReader::Complain& complain) {
    TableReader table(state_, -1, "history", complain);
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

  domain::LineHistory read_line_history(const TableReader::Complain& complain) {
    TableReader table(state_, -1, "history", complain);
    domain::LineHistory history;
    const auto number = [&](const char* key) { return static_cast<int>(table.integer(key).value_or(0)); };
    history.payer_code = {number("responses"), number("denied_bps"), number("denied_low_bps"),
                          table.text("top_carc").value_or("")};
    if (const auto cents = table.integer("unusual_charge_cents")) history.unusual_charge = Money::cents(*cents);
    if (const auto cents = table.integer("medicare_fee_cents")) history.medicare_fee = Money::cents(*cents);
    table.refuse_other_fields();
    return history;
  }

  void read_line(ClaimCase& given, const TableReader::Complain& complain) {
    TableReader table(state_, -1, "a line", complain);
    domain::ServiceLine line{table.text("cpt").value_or("99213"), table.text("modifier").value_or(""),
                             table.integer("units_milli").value_or(1000), std::nullopt};
    if (const auto cents = table.integer("amount_cents")) line.amount = Money::cents(*cents);
    if (table.push("history") != LUA_TNIL) {
      if (!given.history) given.history.emplace();
      given.history->lines.resize(given.claim.service_lines.size());
      given.history->lines.push_back(read_line_history(complain));
    }
    lua_pop(state_, 1);
    table.refuse_other_fields();
    given.claim.service_lines.push_back(std::move(line));
  }

  void read_payer(TableReader& table, ClaimCase& given, const TableReader::Complain& complain) {
    if (table.push("payer") != LUA_TNIL) {
      TableReader payer(state_, -1, "payer", complain);
      if (auto id = payer.text("id")) given.payer.payer_id = *id;
      if (auto name = payer.text("name")) given.payer.name = *name;
      if (auto status = payer.text("status")) given.payer.status = *status;
      if (const auto days = payer.integer("timely_filing_days"))
        given.payer.timely_filing_days = static_cast<int>(*days);
      if (const auto yes = payer.boolean("supports_advance")) given.payer.supports_advance = *yes;
      if (const auto bps = payer.integer("denial_rate_bps")) given.payer.rates.denial_bps = static_cast<int>(*bps);
      given.payer_known = payer.boolean("known").value_or(true);
      given.near_payer = payer.text("near_id").value_or("");
      payer.refuse_other_fields();
    }
    lua_pop(state_, 1);
  }

  void compare_findings(TableReader& table, const std::vector<domain::Finding>& findings,
                        const TableReader::Complain& complain) {
    const int type = table.push("expect");
    if (type == LUA_TSTRING && std::string(lua_tostring(state_, -1)) == "nothing") {
      if (!findings.empty()) complain("", "expected nothing, the rule found " + shown(findings));
    } else if (type == LUA_TTABLE) {
      push_content(state_, -1);
      const auto listed = static_cast<std::size_t>(lua_rawlen(state_, -1));
      lua_pop(state_, 1);
      const std::size_t expected = listed == 0 ? 1 : listed;
      if (findings.size() != expected) {
        complain("", "expected " + std::to_string(expected) + " finding(s), the rule found " + shown(findings));
      } else if (listed == 0) {
        compare_finding(findings.front(), complain);
      } else {
        TableReader list(state_, -1, "expect", complain);
        list.each_element([&](int index) { compare_finding(findings[static_cast<std::size_t>(index - 1)], complain); });
      }
    } else {
      complain("", "needs expect = 'nothing', a finding such as { probability = 0.9 }, or a list of findings");
    }
    lua_pop(state_, 1);
  }

  static std::string shown(const std::vector<domain::Finding>& findings) {
    if (findings.empty()) return "nothing";
    std::string text;
    for (const auto& finding : findings)
      text += (text.empty() ? "" : ", ") + finding.code + " at " + std::to_string(finding.probability_bps) + " bps" +
              (finding.line ? " on line " + std::to_string(*finding.line + 1) : "");
    return text;
  }

  /// The expected finding is on top of the stack; only its fields are compared.
  void compare_finding(const domain::Finding& found, const TableReader::Complain& complain) {
    TableReader expected(state_, -1, "an expected finding", complain);
    const auto differs = [&](const char* what, const std::string& wanted, const std::string& got) {
      if (wanted != got) complain("", std::string("expected ") + what + " " + wanted + ", got " + got);
    };
    if (const auto share = expected.number("probability"))
      differs("probability (in bps)", std::to_string(exact_scaled(*share, domain::kOneInBps).value_or(-1)),
              std::to_string(found.probability_bps));
    if (const auto line = expected.integer("line"))
      differs("line", std::to_string(*line), found.line ? std::to_string(*found.line + 1) : "none");
    if (const auto field = expected.text("field")) differs("field", *field, found.field);
    if (const auto effect = expected.text("effect")) differs("effect", *effect, std::string(name_of(found.effect)));
    if (const auto carc = expected.text("carc")) differs("carc", *carc, found.carc);
    if (const auto cents = expected.integer("amount_at_risk_cents"))
      differs("amount_at_risk_cents", std::to_string(*cents),
              found.amount_at_risk ? std::to_string(found.amount_at_risk->cents()) : "none");
    if (const auto share = expected.number("confidence_cap"))
      differs("confidence_cap (in bps)", std::to_string(exact_scaled(*share, domain::kOneInBps).value_or(-1)),
              std::to_string(found.confidence_cap_bps));
    expected.refuse_other_fields();
  }

  /// A terms case "fires" when it approves, so that cases must include an approval and a refusal.
  std::optional<bool> run_terms_case(int index) {
    const std::string name = name_of_case(index);
    const auto complain = complain_of(name);
    TableReader table(state_, -1, "a case", complain);
    table.text("name");
    domain::Review review = clean_review();
    std::string rail = "RTP";
    bool payer_supports_advance = true;
    domain::Portfolio portfolio;
    domain::ClaimDetails details;
    if (table.push("review") != LUA_TNIL) {
      TableReader given(state_, -1, "review", complain);
      auto& forecast = review.forecast;
      if (const auto bps = given.integer("denial_probability_bps"))
        forecast.denial_probability_bps = static_cast<int>(*bps);
      if (const auto bps = given.integer("confidence_bps")) forecast.confidence_bps = static_cast<int>(*bps);
      if (const auto cents = given.integer("expected_cents")) forecast.expected = Money::cents(*cents);
      if (const auto cents = given.integer("allowed_cents")) forecast.allowed = Money::cents(*cents);
      if (const auto cents = given.integer("submitted_cents")) review.submitted_amount = Money::cents(*cents);
      if (const auto days = given.integer("days_to_payment"))
        forecast.payment_date = kToday.plus(static_cast<int>(*days));
      if (const auto count = given.integer("warnings"))
        review.warnings.resize(static_cast<std::size_t>(domain::within<std::int64_t>(*count, 0, 100)));
      forecast.denial_predicted = given.boolean("denial_predicted").value_or(false);
      review.payer_known = given.boolean("payer_known").value_or(true);
      payer_supports_advance = given.boolean("payer_supports_advance").value_or(true);
      read_record(given, review);
      const auto cents = [&](const char* key, Money& into) {
        if (const auto amount = given.integer(key)) into = Money::cents(*amount);
      };
      cents("payer_open_cents", portfolio.payer_open);
      cents("provider_open_cents", portfolio.provider_open);
      cents("advanced_30_days_cents", portfolio.advanced);
      cents("lost_30_days_cents", portfolio.lost);
      if (auto text = given.text("rail")) rail = *text;
      read_coordination(given, details);
      given.refuse_other_fields();
    }
    lua_pop(state_, 1);

    const auto other = read_params(table, complain);
    Program& program = other ? *other : program_;
    domain::TermsProposal proposal;
    const auto problem =
        program.run_terms({review, rail, kToday, payer_supports_advance, portfolio, false, details}, proposal);
    if (problem) rule_fault(ruleset_.terms.file, *problem, name);
    for (const auto& kept : program.settle()) complain("", kept.problem);
    table.require("expect");
    if (table.push("expect") == LUA_TTABLE && !problem) compare_terms(proposal, complain);
    lua_pop(state_, 1);
    table.refuse_other_fields();
    return problem ? std::nullopt : std::optional(proposal.decision == domain::Decision::approved);
  }

  /// Further values of the tenant's record: a case with any of them is a review in which the record counts. `below_bps`
  /// is the list of P(less is paid) at 5 %, 10 %, ... of the expected payment; its last number applies to the rest.
  void read_record(TableReader& given, domain::Review& review) {
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

  void compare_terms(const domain::TermsProposal& proposal, const TableReader::Complain& complain) {
    TableReader expected(state_, -1, "expect", complain);
    const auto differs = [&](const char* what, const std::string& wanted, const std::string& got) {
      if (wanted != got) complain("", std::string("expected ") + what + " " + wanted + ", got " + got);
    };
    if (const auto decision = expected.text("decision"))
      differs("decision", *decision, std::string(domain::name_of(proposal.decision)));
    if (const auto share = expected.number("advance_percentage"))
      differs("advance_percentage (in bps)", std::to_string(exact_scaled(*share, domain::kOneInBps).value_or(-1)),
              std::to_string(proposal.advance_bps));
    if (const auto share = expected.number("fee_percentage"))
      differs("fee_percentage (in bps)", std::to_string(exact_scaled(*share, domain::kOneInBps).value_or(-1)),
              std::to_string(proposal.fee_bps));
    if (const auto reasons = expected.texts("reasons")) {
      const auto joined = [](const std::vector<std::string>& texts) {
        std::string all;
        for (const auto& text : texts) all += (all.empty() ? "" : ", ") + text;
        return "[" + all + "]";
      };
      differs("reasons", joined(*reasons), joined(proposal.reasons));
    }
    expected.refuse_other_fields();
  }

  Program& program_;
  const Limits& limits_;
  Coverage* coverage_;
  const Ruleset& ruleset_;
  lua_State* state_;
  std::string file_, case_name_;
  CaseReport& report_;
};

}  // namespace

CaseReport run_cases(const std::shared_ptr<const Ruleset>& ruleset, const Limits& limits, Coverage* coverage) {
  CaseReport report;
  Program program(ruleset, ruleset->sample_tables, limits, coverage);
  Sandbox case_files(ruleset->bundle, {});
  for (const auto& [file, text] : ruleset->bundle->files) {
    if (!file.starts_with("cases/")) continue;
    if (const auto failed = case_files.run_file(file)) {
      report.errors.push_back(error_from_lua(*ruleset->bundle, file, *failed));
      continue;
    }
    CaseFile(program, limits, coverage, case_files, file, report).run();
    lua_pop(case_files.state(), 1);
  }
  const auto demand = [&](const std::string& id, const std::string& file, const char* fires, const char* rests) {
    const auto& names = report.rules[id];
    if (names.fired.empty())
      report.errors.push_back(
          error_at_word(*ruleset->bundle, file, "id", "needs a case in cases/ in which " + std::string(fires)));
    if (names.silent.empty())
      report.errors.push_back(
          error_at_word(*ruleset->bundle, file, "id", "needs a case in cases/ in which " + std::string(rests)));
  };
  for (const auto& rule : ruleset->denial) demand(rule.id, rule.file, "it finds something", "it finds nothing");
  if (!ruleset->terms.file.empty())
    demand(ruleset->terms.id, ruleset->terms.file, "it approves", "it does not approve");
  return report;
}

}  // namespace tideover::lua
