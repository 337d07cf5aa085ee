// Backtests of rules against recorded claims.
#include "core/usecases/learning/keep_learning_journal.hpp"
#include "core/usecases/rules/backtest_rules.hpp"
#include "tests/usecases/world.hpp"

using namespace tideover;
using namespace tideover::tests;
using domain::Decision;
using domain::Money;

namespace {

constexpr auto kApproved = static_cast<std::size_t>(Decision::approved);
constexpr auto kDeclined = static_cast<std::size_t>(Decision::declined);

/// Rules that flag the claims for which the test's function returns true.
class Suspicious final : public ports::RulePolicy {
 public:
  std::function<bool(const ports::ClaimFacts&)> suspects = [](const ports::ClaimFacts&) { return false; };
  bool is_shadow = false, refuses = false;
  int learns_from = 1'000'000, payer_evidence = 20;
  std::vector<int> duplicates;  // as seen by the rules, review by review
  std::vector<domain::ValidationProfile> profiles;

  ports::DenialAssessment assess_denial(const ports::ClaimFacts& facts) override {
    duplicates.push_back(facts.duplicates);
    profiles.push_back(facts.profile);
    if (facts.history_of && facts.answered_claims >= learns_from) facts.history_of({});
    ports::DenialAssessment assessed;
    assessed.policy.learn_from_answers = learns_from;
    assessed.policy.payer_evidence = payer_evidence;
    domain::Finding finding;
    finding.rule_id = "denial.suspicious";
    finding.code = "29";
    finding.group = "CO";
    finding.probability_bps = 9500;
    if (refuses) finding.effect = domain::Finding::Effect::refusal;
    if (suspects(facts)) (is_shadow ? assessed.shadowed : assessed.findings).push_back(finding);
    return assessed;
  }
  ports::TermsAssessment propose_terms(const ports::TermsFacts& facts) override {
    return {
        {facts.review.forecast.denial_predicted ? Decision::declined : Decision::approved, 8000, 200, {}}, {}, stamp()};
  }
  domain::OverduePolicy overdue_policy() const override { return {}; }
  domain::RulesStamp stamp() const override { return {"test", std::string(64, '0')}; }
};

struct Backtest : World {
  Backtest() { ids.bear_time_of(clock); }

  /// The payer's response to a claim of 1 000.00.
  void answer(const std::string& identifier, std::int64_t paid_cents, const std::string& carc,
              std::int64_t charge_cents = 100'000, const std::string& payer = "") {
    domain::RemittanceDraft remittance;
    remittance.payer_id = payer.empty() ? draft(identifier).payer_id : payer;
    remittance.trace_number = "T-" + identifier;
    remittance.payment_date = clock.now().utc_date();
    remittance.payment_amount = Money::cents(paid_cents);
    domain::RemittanceClaim claim;
    claim.claim_identifier = identifier;
    claim.status = paid_cents == 0 ? "4" : "1";
    claim.charge_amount = Money::cents(charge_cents);
    claim.paid_amount = Money::cents(paid_cents);
    claim.adjustments = {{"CO", carc, Money::cents(charge_cents - paid_cents)}};
    remittance.claims = {claim};
    BOOST_REQUIRE((*post_remittance)(context("remittance"), {remittance},
                                     [](const std::vector<usecases::PostedRemittance>&) { return ""; }));
  }
  /// Claims that differ in their identifiers only.
  void review_alike(const std::string& identifier) {
    auto claim = draft(identifier);
    claim.chart_identifier = domain::Sensitive<std::string>("CHART");
    claim.date_of_service = domain::Date::from_days(20'000);
    review(claim);
  }
  void file() {
    clock.advance_s(2);
    BOOST_REQUIRE(keeper([] { return false; }));
  }
  usecases::BacktestReport run_as_filed(const usecases::BacktestOptions& options = {}) {
    usecases::BacktestRules backtest(*store, reason_codes, {}, domain::Environment::sandbox, digests);
    const auto report = backtest(caller.tenant, before, after, clock.now(), options, [](std::int64_t) { return true; });
    BOOST_REQUIRE_MESSAGE(report, why(report));
    return *report;
  }
  usecases::BacktestReport run(const usecases::BacktestOptions& options = {}) {
    file();
    return run_as_filed(options);
  }
  /// Reviews the claim again with another facility, by which the rules detect the correction.
  void correct(const std::string& identifier, std::int64_t cents = 100'000) {
    clock.advance_days(1);
    auto claim = draft(identifier, cents);
    claim.facility = "corrected";
    review(claim);
    clock.advance_days(1);
  }
  void reverse(const std::string& identifier, std::int64_t paid_cents) {
    clock.advance_s(60);
    domain::RemittanceDraft takeback;
    takeback.payer_id = draft(identifier).payer_id;
    takeback.trace_number = "R-" + identifier + std::to_string(paid_cents);
    takeback.payment_date = clock.now().utc_date();
    takeback.payment_amount = Money::cents(-paid_cents);
    domain::RemittanceClaim claim;
    claim.claim_identifier = identifier;
    claim.status = "22";
    claim.charge_amount = Money::cents(-100'000);
    claim.paid_amount = Money::cents(-paid_cents);
    takeback.claims = {claim};
    BOOST_REQUIRE((*post_remittance)(context("remittance"), {takeback},
                                     [](const std::vector<usecases::PostedRemittance>&) { return ""; }));
    clock.advance_s(60);
  }
  static bool is_corrected(const ports::ClaimFacts& facts) { return facts.claim.facility == "corrected"; }
  static bool is_named(const ports::ClaimFacts& facts, const std::string& identifier) {
    return facts.claim.claim_identifier == identifier;
  }

  Suspicious before, after;
  usecases::Learner learner{*store, digests};
  usecases::KeepLearningJournal keeper{*store, clock, learner};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(backtest)

BOOST_FIXTURE_TEST_CASE(a_report_counts_decisions_and_money, Backtest) {
  for (const char* identifier : {"PAID", "DENIED", "SUSPECTED", "OPEN"}) review(draft(identifier));
  answer("PAID", 80'000, "45");
  answer("DENIED", 0, "197");
  answer("SUSPECTED", 60'000, "45");
  after.suspects = [](const auto& facts) { return is_named(facts, "DENIED") || is_named(facts, "SUSPECTED"); };
  const auto report = run();

  BOOST_TEST(report.reviews == 4);
  BOOST_TEST(report.answered == 3);
  BOOST_TEST(report.denied == 1);
  BOOST_TEST(report.flips == 2);
  BOOST_TEST(report.decisions[kApproved][kApproved] == 2);
  BOOST_TEST(report.decisions[kApproved][kDeclined] == 2);
  BOOST_TEST(report.before.decisions[kApproved] == 4);
  BOOST_TEST(report.after.predicted[1][1] == 1);  // DENIED, and it was
  BOOST_TEST(report.after.predicted[1][0] == 1);  // SUSPECTED, and it was not
  BOOST_TEST(report.before.predicted[0][1] == 1);
  const auto& rule = report.after.rules.at("denial.suspicious");
  BOOST_TEST(rule.fired == 2);
  BOOST_TEST(rule.denied == 1);
  BOOST_TEST((rule.charge_flagged == Money::cents(200'000)));
  BOOST_TEST(report.before.rules.empty());

  // Each advance is the same; that on DENIED is lost whole, the open claim is not mature.
  const auto advance = Money::cents(report.before.advanced.cents() / 4);
  BOOST_TEST((report.after.advanced == advance + advance));
  BOOST_TEST((report.before.matured == advance + advance + advance));
  const auto short_of = std::max(Money{}, advance - Money::cents(60'000));  // of SUSPECTED
  BOOST_TEST((report.before.lost == advance + short_of));
  BOOST_TEST((report.after.lost == Money{}));
  BOOST_TEST((report.after.fees + report.after.fees == report.before.fees));
  BOOST_REQUIRE(report.examples.size() == 2u);
  BOOST_TEST(report.examples[0].claim_identifier == "DENIED");
  BOOST_TEST(report.examples[0].answer == "denied");
  BOOST_TEST(report.examples[1].answer == "paid 600.00");
}

BOOST_FIXTURE_TEST_CASE(a_shadow_rule_is_graded_and_decides_nothing, Backtest) {
  review(draft("ONE"));
  answer("ONE", 0, "197");
  after.suspects = [](const auto&) { return true; };
  after.is_shadow = true;
  const auto report = run();
  BOOST_TEST(report.flips == 0);
  BOOST_TEST(report.after.rules.at("denial.suspicious").denied == 1);
}

BOOST_FIXTURE_TEST_CASE(only_earlier_duplicates_of_a_claim_are_counted, Backtest) {
  for (const char* identifier : {"FIRST", "SECOND", "THIRD"}) review_alike(identifier);
  run();
  BOOST_TEST(after.duplicates == (std::vector{0, 1, 2}), boost::test_tools::per_element());
  // A second review is no duplicate of the first.
  after.duplicates.clear();
  review_alike("FIRST");
  run();
  BOOST_TEST(after.duplicates == (std::vector{0, 1, 2, 2}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_reversal_removes_the_answer, Backtest) {
  review(draft("ONE"));
  answer("ONE", 80'000, "45");
  reverse("ONE", 80'000);
  const auto report = run();
  BOOST_TEST(report.answered == 0);
  BOOST_TEST((report.before.matured == Money{}));
}

BOOST_FIXTURE_TEST_CASE(a_claim_refused_by_the_candidate_counts_as_declined, Backtest) {
  for (const char* identifier : {"KEPT", "REFUSED"}) review(draft(identifier));
  answer("REFUSED", 80'000, "45");
  after.refuses = true;
  after.suspects = [](const auto& facts) { return is_named(facts, "REFUSED"); };
  const auto report = run();
  BOOST_TEST(report.reviews == 2);
  BOOST_TEST(report.answered == 1);
  BOOST_TEST(report.flips == 1);
  BOOST_TEST(report.after.refused == 1);
  BOOST_TEST(report.before.refused == 0);
  BOOST_TEST(report.decisions[kApproved][kDeclined] == 1);
  BOOST_TEST((report.after.advanced + report.after.advanced == report.before.advanced));
}

BOOST_FIXTURE_TEST_CASE(an_answer_with_another_charge_or_payer_is_ignored, Backtest) {
  payers.payers.push_back(payers.payers.back());
  payers.payers.back().payer_id = "OTHER";
  review(draft("ONE"));
  review(draft("TWO"));
  answer("ONE", 80'000, "45", 90'000);  // another charge
  clock.advance_s(60);
  answer("TWO", 80'000, "45", 100'000, "OTHER");  // another payer
  const auto report = run();
  BOOST_TEST(report.reviews == 2);
  BOOST_TEST(report.answered == 0);
}

BOOST_FIXTURE_TEST_CASE(only_the_requested_days_are_judged, Backtest) {
  review_alike("EARLY");
  clock.advance_s(3 * 86'400);
  review_alike("LATE");
  usecases::BacktestOptions options;
  options.from = clock.now().utc_date();
  BOOST_TEST(run(options).reviews == 1);
  options.from.reset();
  options.to = clock.now().utc_date().plus(-1);
  BOOST_TEST(run(options).reviews == 1);
  // EARLY lies before the window and still counts as a duplicate.
  after.duplicates.clear();
  options.from = clock.now().utc_date();
  options.to.reset();
  run(options);
  BOOST_TEST(after.duplicates == std::vector{1}, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(an_unanswered_advance_counts_as_lost_after_ninety_days, Backtest) {
  review(draft("SILENT"));
  BOOST_TEST((run().before.lost == Money{}));
  clock.advance_s(91 * 86'400);
  const auto report = run();
  BOOST_TEST((report.before.lost == report.before.advanced));
  BOOST_TEST((report.before.lost > Money{}));
}

BOOST_FIXTURE_TEST_CASE(each_decision_uses_the_model_of_its_day, Backtest) {
  after.learns_from = 10;  // the rules before do not use the record
  after.payer_evidence = 1;
  for (int i = 0; i < 20; ++i) {
    const auto identifier = "C" + std::to_string(i);
    review(draft(identifier));
    answer(identifier, 0, "29");
    clock.advance_s(86'400);
  }
  const auto report = run();
  BOOST_TEST(report.before.predicted[1][1] == 0);
  BOOST_TEST(report.after.predicted[1][1] > 0);
  BOOST_TEST(report.after.predicted[1][1] <= 10);  // those after ten answers
  BOOST_TEST(report.after.advanced < report.before.advanced);
}

BOOST_FIXTURE_TEST_CASE(a_decision_is_graded_by_later_answers, Backtest) {
  after.suspects = is_corrected;
  review(draft("ONE"));
  answer("ONE", 0, "197");
  correct("ONE");
  const auto unanswered = run();
  BOOST_TEST(unanswered.reviews == 2);
  BOOST_TEST(unanswered.answered == 1);
  BOOST_TEST(unanswered.denied == 1);
  BOOST_TEST(unanswered.after.rules.at("denial.suspicious").fired == 0);
  BOOST_TEST((unanswered.after.rules.at("denial.suspicious").charge_flagged == Money::cents(100'000)));
  BOOST_TEST(unanswered.after.predicted[0][1] == 1);  // the first review, which was denied
  BOOST_TEST(unanswered.after.predicted[1][1] == 0);

  answer("ONE", 80'000, "45");
  const auto paid = run();
  BOOST_TEST(paid.answered == 2);
  BOOST_TEST(paid.denied == 1);
  BOOST_TEST(paid.after.rules.at("denial.suspicious").fired == 1);
  BOOST_TEST(paid.after.rules.at("denial.suspicious").denied == 0);
  BOOST_TEST((paid.before.lost == Money{}));  // the advance on the first review came back late
}

BOOST_FIXTURE_TEST_CASE(the_last_review_before_an_answer_is_graded, Backtest) {
  after.suspects = is_corrected;
  review(draft("ONE"));
  correct("ONE");
  answer("ONE", 0, "197");
  const auto report = run();
  BOOST_TEST(report.reviews == 1);
  BOOST_TEST(report.after.predicted[1][1] == 1);
  BOOST_TEST(report.after.rules.at("denial.suspicious").denied == 1);
}

BOOST_FIXTURE_TEST_CASE(a_claim_with_several_reviews_is_advanced_once, Backtest) {
  before.suspects = [](const auto& facts) {
    return !is_corrected(facts);
  };  // declines the first review, which the candidate approves
  review(draft("ONE"));
  answer("ONE", 0, "197");
  correct("ONE");
  const auto report = run();
  BOOST_TEST(report.reviews == 2);
  BOOST_TEST(report.before.decisions[kApproved] == 1);
  BOOST_TEST(report.after.decisions[kApproved] == 2);
  BOOST_TEST((report.before.advanced > Money{}));
  BOOST_TEST((report.after.advanced == report.before.advanced));
  BOOST_TEST((report.after.fees == report.before.fees));
  BOOST_TEST((report.after.lost == report.after.advanced));  // denied
  BOOST_TEST((report.before.matured == Money{}));            // not answered yet
}

BOOST_FIXTURE_TEST_CASE(a_reversal_after_a_second_review_removes_the_answer_to_the_first, Backtest) {
  after.suspects = is_corrected;
  review(draft("ONE"));
  answer("ONE", 70'000, "45");
  correct("ONE");
  reverse("ONE", 70'000);
  // The answer to the first review is reversed: only the second review remains.
  BOOST_TEST(run().reviews == 1);
  BOOST_TEST(run().answered == 0);
  answer("ONE", 80'000, "45");
  const auto report = run();
  BOOST_TEST(report.reviews == 1);
  BOOST_TEST(report.after.predicted[1][0] == 1);
  BOOST_TEST((report.before.lost == Money{}));
  BOOST_TEST((report.before.matured > Money{}));
}

BOOST_FIXTURE_TEST_CASE(a_reversed_and_corrected_denial_stays_a_denial, Backtest) {
  for (const char* name : {"ONE", "TWO"}) {
    review(draft(name));
    answer(name, 0, "197");
  }
  correct("TWO");  // reviewed again before the payer reverses its denial
  for (const char* name : {"ONE", "TWO"}) {
    reverse(name, 0);
    answer(name, 80'000, "45");
  }
  const auto report = run();
  BOOST_TEST(report.denied == 2);
  BOOST_TEST(report.answered == 3);  // the second review of TWO was paid
}

BOOST_FIXTURE_TEST_CASE(an_answer_reversed_in_parts_restores_the_one_before_it, Backtest) {
  review(draft("ONE"));
  answer("ONE", 0, "197");
  correct("ONE");
  answer("ONE", 80'000, "45");
  reverse("ONE", 30'000);
  reverse("ONE", 50'000);
  const auto report = run();
  BOOST_TEST(report.reviews == 2);
  BOOST_TEST(report.answered == 1);
  BOOST_TEST(report.denied == 1);
  BOOST_TEST((report.before.lost == report.before.advanced));
}

BOOST_FIXTURE_TEST_CASE(a_claim_is_judged_by_the_payer_record_of_its_day, Backtest) {
  review(draft("THEN"));
  clock.advance_days(1);
  payers.payers.front().rates.denial_bps = 9'000;
  const auto report = run();
  BOOST_TEST(report.before.decisions[kApproved] == 1);
  review(draft("NOW"));
  BOOST_TEST(run().before.decisions[kDeclined] == 1);
}

BOOST_FIXTURE_TEST_CASE(a_claim_is_judged_under_the_profile_of_its_review, Backtest) {
  caller.profile = domain::ValidationProfile::strict;
  review(draft("ONE"));
  run();
  BOOST_REQUIRE(after.profiles.size() == 1u);
  BOOST_TEST((after.profiles.front() == domain::ValidationProfile::strict));
}

BOOST_FIXTURE_TEST_CASE(an_answer_stays_when_the_claim_is_corrected_to_another_charge, Backtest) {
  review(draft("ONE"));
  answer("ONE", 0, "197");
  const auto denied = run();
  BOOST_TEST(denied.denied == 1);
  correct("ONE", 90'000);
  const auto report = run();
  BOOST_TEST(report.denied == 1);
  BOOST_TEST(report.before.predicted[0][1] == 1);
}

BOOST_FIXTURE_TEST_CASE(reviews_missing_in_the_journal_are_left_out, Backtest) {
  review(draft("FILED"));
  file();
  review(draft("UNFILED"));
  BOOST_TEST(run_as_filed().reviews == 1);
  BOOST_TEST(run().reviews == 2);
}

BOOST_FIXTURE_TEST_CASE(a_review_without_its_basis_is_left_out_and_counted, Backtest) {
  review(draft("KEPT"));
  auto old = review(draft("OLD"));
  old.id = ids.next<domain::ReviewId>();
  old.authorization_id = ids.next<domain::AuthorizationId>();
  const auto insert = [&](const domain::Review& given) {
    BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
      records.reviews().insert(caller.tenant, given);
      records.events().append(
          caller.tenant, {ids.next<domain::EventId>(), given.created_at,
                          domain::ReviewCompleted{given.id, given.authorization_id, given.claim_identifier, false}});
      return {};
    })));
  };
  old.basis.claim_revision.reset();
  insert(old);
  old.id = ids.next<domain::ReviewId>();
  old.authorization_id = ids.next<domain::AuthorizationId>();
  old.basis.claim_revision = 0;
  old.basis.payer_edition = "unknown";
  insert(old);
  const auto report = run();
  BOOST_TEST(report.claims == 2);
  BOOST_TEST(report.reviews == 2);
  BOOST_TEST(report.left_out == 2);
}

BOOST_AUTO_TEST_SUITE_END()
