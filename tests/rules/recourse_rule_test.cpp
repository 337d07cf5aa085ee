// Recourse rules: facts, answers, limits of the sandbox, checks of the policy, cases and publication.
#include <boost/test/unit_test.hpp>

#include "tests/fakes/printing.hpp"
#include "tests/rules/rule_folder.hpp"

using namespace tideover;
using namespace tideover::testing;
using domain::Money;

namespace {

std::string recourse_rule(const std::string& body, const std::string& policy = "") {
  return "return { id = 'recourse.own', rev = 4, " + policy + " evaluate = function(event, params)\n" + body +
         "\nend }\n";
}

const char* const kCase =
    "return { rule = 'recourse.own', cases = { { name = 'short', event = { kind = 'short_payment', amount_cents = 100, "
    "reserve_cents = 40 }, expect = { reserve_cents = 40, funder_cents = 60 } } } }\n";
const char* const kReserveFirst =
    "local part = math.min(event.reserve_cents, event.amount_cents)\n"
    "return { reserve_cents = part, funder_cents = event.amount_cents - part, reasons = { 'reserve first' } }";

struct RecourseFolder : RuleFolder {
  explicit RecourseFolder(const std::string& rule = recourse_rule(kReserveFirst), const std::string& its_case = kCase) {
    write("ruleset.lua", "return { version = '1', denial = { 'zero' }, terms = 'plain', recourse = 'own' }\n");
    write("recourse/own.lua", rule);
    write("cases/own.lua", its_case);
  }
  std::shared_ptr<const lua::Ruleset> sound() const {
    const auto loaded = load();
    BOOST_REQUIRE_MESSAGE(loaded.ruleset, faults_of(loaded));
    return loaded.ruleset;
  }
};

domain::RecourseFacts short_payment(std::int64_t cents = 100, std::int64_t reserve = 40) {
  domain::RecourseFacts facts;
  facts.event = domain::RecourseEvent::short_payment;
  facts.amount = facts.usual.funder = Money::cents(cents);
  facts.reserve = Money::cents(reserve);
  facts.payer_id = "P1000";
  return facts;
}

/// A sound bundle with another body, which the checks of the loader did not see.
std::shared_ptr<const lua::Ruleset> unchecked_body(const std::string& body) {
  const RecourseFolder folder;
  auto ruleset = std::make_shared<lua::Ruleset>(*folder.sound());
  auto bundle = std::make_shared<lua::Bundle>(*ruleset->bundle);
  bundle->files["recourse/own.lua"] = recourse_rule(body);
  ruleset->bundle = bundle;
  return ruleset;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(recourse_rules)

BOOST_AUTO_TEST_CASE(a_rule_reads_the_event_and_names_its_bearers) {
  const RecourseFolder folder;
  lua::Engine engine(folder.sound());
  const auto assessed = engine.decide_recourse(short_payment());
  BOOST_REQUIRE(assessed.faults.empty());
  BOOST_REQUIRE(assessed.proposal.has_value());
  BOOST_TEST(assessed.proposal->split.reserve.cents() == 40);
  BOOST_TEST(assessed.proposal->split.funder.cents() == 60);
  BOOST_TEST(assessed.proposal->reasons == std::vector<std::string>{"reserve first"});
  BOOST_TEST(assessed.rule_id == "recourse.own");
  BOOST_TEST(assessed.rule_rev == 4);
  BOOST_TEST(assessed.rules.sha256 == engine.stamp().sha256);
}

BOOST_AUTO_TEST_CASE(every_fact_has_the_value_of_the_event) {
  lua::Engine engine(unchecked_body(
      "local all = { event.kind, event.amount_cents, event.usual_future_residuals_cents, event.usual_reserve_cents,\n"
      "  event.usual_funder_cents, event.payer_id, event.payee_npi, event.advance_cents, event.paid_out_cents,\n"
      "  event.owed_cents, event.carried_cents, event.reserve_cents, event.days_since_funding }\n"
      "local text = ''\n"
      "for i = 1, 13 do text = text .. tostring(all[i]) .. ' ' end\n"
      "return { reasons = { text } }"));
  domain::RecourseFacts facts;
  facts.event = domain::RecourseEvent::takeback;
  facts.amount = Money::cents(6);
  facts.usual = {Money::cents(1), Money::cents(2), Money::cents(3)};
  facts.payer_id = "P1";
  facts.payee_npi = "1999999984";
  facts.advance = Money::cents(4);
  facts.paid_out = Money::cents(5);
  facts.owed = Money::cents(-7);
  facts.carried = Money::cents(8);
  facts.reserve = Money::cents(9);
  facts.days_since_funding = 10;
  const auto assessed = engine.decide_recourse(facts);
  BOOST_REQUIRE(assessed.faults.empty());
  BOOST_TEST(assessed.proposal->reasons.front() == "takeback 6 1 2 3 P1 1999999984 4 5 -7 8 9 10 ");
}

BOOST_AUTO_TEST_CASE(a_bundle_without_a_recourse_rule_decides_nothing) {
  const RuleFolder folder;
  lua::Engine engine(folder.load().ruleset);
  const auto assessed = engine.decide_recourse(short_payment());
  BOOST_TEST(assessed.faults.empty());
  BOOST_TEST(!assessed.proposal.has_value());
  BOOST_TEST(assessed.rule_id == "");
  BOOST_TEST(engine.recourse_policy().fee_tiers.empty());
}

BOOST_AUTO_TEST_CASE(a_rule_that_errs_or_answers_nonsense_is_a_fault_and_its_denial_rules_go_on) {
  const struct {
    const char* body;
    const char* problem;
  } rows[] = {
      {"while true do end", "instructions"},
      {"local s = 'x' while true do s = s .. s end", "memory"},
      {"return 1", "must be a table"},
      {"return { funder_cents = 1.5 }", "funder_cents"},
      {"return { funder_cents = -1 }", "funder_cents must be an amount"},
      {"return { funder = 1 }", "unknown field 'funder'"},
      {"return { reasons = 'why' }", "list of strings"},
      {"return event.amount", "unknown field 'event.amount'"},
      {"return review.rail", "unknown global 'review'"},
      {"event.amount_cents = 5", "read-only"},
  };
  for (const auto& row : rows) BOOST_TEST_CONTEXT(row.body) {
      lua::Engine engine(unchecked_body(row.body));
      const auto assessed = engine.decide_recourse(short_payment());
      BOOST_TEST(!assessed.proposal.has_value());
      BOOST_REQUIRE(assessed.faults.size() == 1u);
      BOOST_CHECK_MESSAGE(assessed.faults[0].problem.find(row.problem) != std::string::npos,
                          assessed.faults[0].problem);
      BOOST_TEST(assessed.faults[0].rule_id == "recourse.own");
    }
}

BOOST_AUTO_TEST_CASE(nothing_is_kept_between_events) {
  const RecourseFolder folder("local calls = 0\n" + recourse_rule("calls = calls + 1\nreturn nil"));
  BOOST_TEST(faults_of(folder.load()).find("assigns 'calls'") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_policy_of_the_file_is_read_and_bounded) {
  const RecourseFolder folder(recourse_rule(
      kReserveFirst,
      "policy = { hold_days = 7, reserve_percentage = 0.10, reserve_days = 60, balance_floor_cents = usd(-1000.00),\n"
      "least_advance_cents = usd(50.00), least_fee_cents = usd(1.00),\n"
      "fee_tiers = { { from_day = 31, percentage = 0.03 }, { from_day = 61, percentage = 0.045 } } },"));
  const auto policy = folder.sound()->recourse.policy;
  BOOST_TEST(policy.hold_days == 7);
  BOOST_TEST(policy.reserve_bps == 1'000);
  BOOST_TEST(policy.reserve_days == 60);
  BOOST_TEST((policy.balance_floor == Money::cents(-100'000)));
  BOOST_TEST(policy.least_advance.cents() == 5'000);
  BOOST_TEST(policy.least_fee.cents() == 100);
  BOOST_TEST((policy.fee_tiers == std::vector<domain::FeeTier>{{31, 300}, {61, 450}}));
}

BOOST_AUTO_TEST_CASE(mistakes_are_reported_with_their_place) {
  const struct {
    const char* policy;
    const char* problem;
  } rows[] = {
      {"policy = { hold_days = 91 },", "recourse/own.lua:1:51: hold_days must be from 0 to 90"},
      {"policy = { reserve_percentage = 0.51 },", "reserve_percentage (in bps) must be from 0 to 5000"},
      {"policy = { reserve_percentage = 10 },", "reserve_percentage must be a share"},
      {"policy = { balance_floor_cents = usd(1.00) },", "balance_floor_cents must be zero or below"},
      {"policy = { fee_tiers = { { from_day = 31 } } },", "a fee tier needs the field 'percentage'"},
      {"policy = { fee_tiers = { { from_day = 31, percentage = 0.03 }, { from_day = 31, percentage = 0.04 } } },",
       "fee_tiers must be in order"},
      {"policy = { hold = 7 },", "unknown field 'hold'"},
      {"mode = 'live',", "unknown field 'mode'"},
  };
  for (const auto& row : rows) BOOST_TEST_CONTEXT(row.policy) {
      const RecourseFolder folder(recourse_rule(kReserveFirst, row.policy));
      const auto loaded = folder.load();
      BOOST_TEST(loaded.ruleset == nullptr);
      BOOST_CHECK_MESSAGE(faults_of(loaded).find(row.problem) != std::string::npos, faults_of(loaded));
    }
}

BOOST_AUTO_TEST_CASE(static_checks_see_recourse_rules) {
  const RecourseFolder slip(recourse_rule("if event.kind == 'never' then return { funder_cents = event.amout } end"));
  BOOST_CHECK_MESSAGE(faults_of(slip.load()).find("unknown field 'event.amout'") != std::string::npos,
                      faults_of(slip.load()));
  const RecourseFolder floats(recourse_rule("if event.amount_cents > 100.00 then return nil end\nreturn nil"));
  BOOST_TEST(floats.load().ruleset == nullptr);
}

BOOST_AUTO_TEST_CASE(a_case_fails_where_the_answer_differs_or_is_refused) {
  const RecourseFolder other(recourse_rule(kReserveFirst),
                             "return { rule = 'recourse.own', cases = { { name = 'short', event = { kind = "
                             "'short_payment', amount_cents = 100 }, expect = { future_residuals_cents = 100 } } } }");
  BOOST_CHECK_MESSAGE(faults_of(other.load()).find("expected future_residuals_cents 100, got 0") != std::string::npos,
                      faults_of(other.load()));
  const RecourseFolder refused(recourse_rule("return { funder_cents = event.amount_cents - 1 }"));
  BOOST_CHECK_MESSAGE(faults_of(refused.load()).find("the answer of the rule is refused: the parts add up to 0.99") !=
                          std::string::npos,
                      faults_of(refused.load()));
  const RecourseFolder none(recourse_rule(kReserveFirst), "return { rule = 'denial.zero', cases = {} }");
  BOOST_CHECK_MESSAGE(faults_of(none.load()).find("needs a case in cases/") != std::string::npos,
                      faults_of(none.load()));
}

BOOST_AUTO_TEST_CASE(another_bundle_decides_from_its_publication_on) {
  const RecourseFolder folder;
  lua::Engine engine(folder.sound());
  BOOST_TEST(engine.decide_recourse(short_payment()).proposal->split.reserve.cents() == 40);
  const RecourseFolder next(
      recourse_rule("return { future_residuals_cents = event.amount_cents }", "policy = { hold_days = 3 },"),
      "return { rule = 'recourse.own', cases = { { name = 'short', event = { kind = 'short_payment', amount_cents = "
      "100 }, expect = { future_residuals_cents = 100 } } } }");
  engine.publish(next.sound());
  BOOST_TEST(engine.decide_recourse(short_payment()).proposal->split.future_residuals.cents() == 100);
  BOOST_TEST(engine.recourse_policy().hold_days == 3);
}

BOOST_AUTO_TEST_SUITE_END()
