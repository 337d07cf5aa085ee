// Running rules: modes, counts, bounded findings, and publication while others read.
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <map>
#include <thread>

#include "tests/rules/rule_folder.hpp"

using namespace tideover;
using namespace tideover::testing;

namespace {

std::shared_ptr<const lua::Ruleset> loaded_from(const RuleFolder& folder) {
  const auto loaded = folder.load();
  BOOST_REQUIRE_MESSAGE(loaded.ruleset, faults_of(loaded));
  return loaded.ruleset;
}

/// A bundle whose denial rule and terms both tell the same number, so that a mixture of two bundles would show.
std::shared_ptr<const lua::Ruleset> bundle_of(int percent) {
  RuleFolder folder;
  const std::string share = "0." + std::to_string(percent);
  folder.write("denial/zero.lua",
               denial_rule("zero", "if claim.amount_cents == 0 then return { probability = " + share + " } end"));
  folder.write("cases/zero.lua",
               "return { rule = 'denial.zero', cases = { { name = 'clean', expect = 'nothing' }, { name = 'zero', "
               "claim = { amount_cents = 0 }, expect = {} } } }");
  folder.write("params.lua", "return {\n  denial_threshold = { value = " + share +
                                 ", min = 0, max = 1 },\n  date_quantile = { value = 0.80, min = 0, max = 1 },\n"
                                 "  recovery = { value = 0.40, min = 0, max = 1 },\n}\n");
  return loaded_from(folder);
}

TestClaim zero_claim() {
  TestClaim claim;
  claim.claim.submitted_amount = domain::Money{};
  return claim;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)

BOOST_AUTO_TEST_CASE(a_service_without_rules_does_not_start) {
  BOOST_CHECK_THROW(lua::Engine(nullptr), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_shadow_rule_is_counted_and_adds_nothing_and_one_that_is_off_does_not_run) {
  RuleFolder folder;
  folder.write("denial/zero.lua",
               denial_rule("zero", "if claim.amount_cents == 0 then return { probability = 0.5 } end", "shadow"));
  lua::Engine engine(loaded_from(folder));
  const auto claim = zero_claim();
  const auto assessed = engine.assess_denial(claim.facts());
  BOOST_TEST(assessed.findings.empty());
  BOOST_TEST(assessed.shadowed.size() == 1u);
  BOOST_TEST(engine.counts().at(0).rule_id == "denial.zero");
  BOOST_TEST(engine.counts().at(0).fired == 1u);

  folder.write("denial/zero.lua",
               denial_rule("zero", "if claim.amount_cents == 0 then return { probability = 0.5 } end", "off"));
  engine.publish(loaded_from(folder));
  BOOST_TEST(engine.assess_denial(claim.facts()).findings.empty());
  BOOST_TEST(engine.counts().at(0).fired == 0u);
}

BOOST_AUTO_TEST_CASE(a_finding_carries_the_prior_of_its_rule_and_its_own_probability) {
  RuleFolder folder;
  auto rule = denial_rule("zero",
                          "if claim.line_count == 0 then return true end\nif claim.amount_cents == 0 then return { "
                          "line = 1, carc = '50' } end\n"
                          "if claim.amount_cents == 7 then return { probability = 0.2 } end");
  folder.write("denial/zero.lua",
               rule.insert(rule.find("summary"), "weight = 0.6, strength = 33, lock = true, severity = 'strong', "));
  folder.write("cases/zero.lua",
               "return { rule = 'denial.zero', cases = { { name = 'clean', expect = 'nothing' }, { name = 'z', claim = "
               "{ amount_cents = 0 }, expect = { carc = '50' } } } }");
  lua::Engine engine(loaded_from(folder));
  auto claim = zero_claim();
  const auto one = engine.assess_denial(claim.facts()).findings.at(0);
  BOOST_TEST(one.probability_bps == 6000);
  BOOST_TEST(one.weight_bps == 6000);
  BOOST_TEST(one.strength == 33);
  BOOST_TEST(one.is_locked);
  BOOST_TEST((one.severity == domain::Finding::Severity::strong));
  BOOST_TEST(one.carc == "50");
  BOOST_TEST(one.line.value() == 0);
  claim.claim.submitted_amount = domain::Money::cents(7);
  const auto other = engine.assess_denial(claim.facts()).findings.at(0);
  BOOST_TEST(other.probability_bps == 2000);
  BOOST_TEST(other.weight_bps == 6000);
  BOOST_TEST(other.carc == "");
  claim.claim.service_lines.clear();
  const auto plain = engine.assess_denial(claim.facts()).findings.at(0);
  BOOST_TEST(plain.probability_bps == 6000);
  BOOST_TEST(!plain.line.has_value());
  BOOST_TEST(plain.amount_at_risk->cents() == 7);
}

BOOST_AUTO_TEST_CASE(a_fault_of_a_live_rule_is_reported_and_that_of_a_shadow_rule_only_counted) {
  RuleFolder folder;
  const std::string failing =
      "if claim.amount_cents == 0 then return { probability = 0.5 } end if claim.amount_cents == 7 then error('seven') "
      "end";
  TestClaim claim;
  claim.claim.submitted_amount = domain::Money::cents(7);
  for (const std::string mode : {"live", "shadow"}) {
    folder.write("denial/zero.lua", denial_rule("zero", failing, mode));
    lua::Engine engine(loaded_from(folder));
    const auto assessed = engine.assess_denial(claim.facts());
    BOOST_TEST(assessed.faults.size() == (mode == "live" ? 1u : 0u));
    if (mode == "live") BOOST_TEST(assessed.faults[0].problem == "denial/zero.lua:4: seven");
    BOOST_TEST(engine.counts().at(0).faults == 1u);
  }
}

const std::string kFindsThree = "if claim.amount_cents == 3 then return { probability = 0.5 } end\n";
const std::string kThree =
    "{ name = 'three', payer = { id = 'P1' }, claim = { amount_cents = 3, lines = {} }, expect = {} }";

/// A live rule that fails on claims of nothing and of one cent, and is for one payer.
struct FailingBundle {
  FailingBundle() {
    auto rule = denial_rule(
        "zero", kFindsThree + "if claim.amount_cents < 2 then return { probability = claim.amount_cents + 2 } end");
    rule.insert(rule.find("summary"), "payers = { 'P1' }, ");
    folder.write("denial/zero.lua", rule);
    folder.write(
        "cases/zero.lua",
        "return { rule = 'denial.zero', cases = { { name = 'clean', payer = { id = 'P1' }, expect = 'nothing' }, " +
            kThree + " } }");
    engine.emplace(loaded_from(folder));
    fails.claim.submitted_amount = domain::Money{};
    for (auto* claim : {&fails, &works, &others})
      claim->claim.payer_id = claim->payer.payer_id = claim == &others ? "P2" : "P1";
  }
  void review(TestClaim& claim, int times) {
    for (int i = 0; i < times; ++i) engine->assess_denial(claim.facts());
  }
  bool is_failing() const { return !engine->failing().empty(); }
  RuleFolder folder;
  std::optional<lua::Engine> engine;
  TestClaim fails, works, others;
};

BOOST_FIXTURE_TEST_CASE(a_rule_that_fails_on_six_of_a_hundred_calls_is_reported_and_one_that_fails_on_five_is_not,
                        FailingBundle) {
  review(fails, 5);
  review(works, 95);
  BOOST_TEST(!is_failing());
  review(fails, 5);
  review(works, 94);
  BOOST_TEST(!is_failing());
  review(fails, 1);
  const auto failing = engine->failing();
  BOOST_REQUIRE(failing.size() == 1u);
  BOOST_TEST(failing[0].rule_id == "denial.zero");
  BOOST_TEST(failing[0].sha256 == engine->stamp().sha256);
  BOOST_TEST(failing[0].when.faults == 6u);
  BOOST_TEST(failing[0].when.calls == 100u);
  BOOST_TEST(!failing[0].is_terms);
}

BOOST_FIXTURE_TEST_CASE(claims_that_a_rule_is_not_for_are_no_calls_of_it, FailingBundle) {
  for (int i = 0; i < 6; ++i) {
    review(fails, 1);
    review(others, 100);
  }
  BOOST_TEST(is_failing());
}

BOOST_FIXTURE_TEST_CASE(calls_that_were_known_to_stay_silent_are_calls, FailingBundle) {
  for (int i = 0; i < 12; ++i) {
    review(fails, 1);
    review(works, 40);  // the same claim: after the first the rule is not run
  }
  BOOST_TEST(!is_failing());
}

BOOST_FIXTURE_TEST_CASE(another_bundle_starts_at_zero_and_a_shadow_rule_is_not_reported, FailingBundle) {
  review(fails, 6);
  BOOST_TEST(is_failing());
  engine->publish(loaded_from(folder));
  BOOST_TEST(!is_failing());
  auto rule = folder.load().ruleset->bundle->files.at("denial/zero.lua");
  folder.write("denial/zero.lua", rule.replace(rule.find("'live'"), 6, "'shadow'"));
  engine->publish(loaded_from(folder));
  review(fails, 20);
  BOOST_TEST(!is_failing());
}

BOOST_AUTO_TEST_CASE(a_rule_that_keeps_state_fails_and_terms_that_fail_are_reported_as_such) {
  RuleFolder folder;
  folder.write(
      "denial/zero.lua",
      "local seen = 0\n" + denial_rule("zero", kFindsThree + "if claim.amount_cents == 0 then seen = seen + 1 end"));
  folder.write("cases/zero.lua",
               "return { rule = 'denial.zero', cases = { { name = 'clean', expect = 'nothing' }, " + kThree + " } }");
  folder.write(
      "terms/plain.lua",
      terms_rule(
          "if review.rail == 'WIRE' then return 1 end\nif review.denial_probability_bps > 5000 then return { decision "
          "= 'declined' } end\nreturn { decision = 'approved', advance_percentage = 0.80, fee_percentage = 0.02 }"));
  lua::Engine engine(loaded_from(folder));
  TestClaim claim = zero_claim();
  const auto review = test_review();
  for (int i = 0; i < 6; ++i) {
    engine.assess_denial(claim.facts());
    engine.propose_terms({review, "WIRE", claim.today});
  }
  const auto failing = engine.failing();
  BOOST_REQUIRE(failing.size() == 2u);
  BOOST_TEST(failing[0].rule_id == "denial.zero");
  BOOST_TEST(failing[1].rule_id == "terms.plain");
  BOOST_TEST(failing[1].is_terms);
}

BOOST_AUTO_TEST_CASE(one_rule_adds_at_most_fifty_findings) {
  RuleFolder folder;
  folder.write(
      "denial/zero.lua",
      denial_rule(
          "zero",
          "local found = {} for i, line in ipairs(claim.lines) do\n"
          "if line.cpt == 'BAD' then found[#found + 1] = { probability = 0.5, line = i } end end return found"));
  folder.write("cases/zero.lua",
               "return { rule = 'denial.zero', cases = { { name = 'clean', expect = 'nothing' },\n"
               "{ name = 'bad', claim = { lines = { { cpt = 'BAD' } } }, expect = { line = 1 } } } }");
  lua::Engine engine(loaded_from(folder));
  TestClaim claim;
  claim.claim.service_lines.assign(999, {"BAD", "", 1000, std::nullopt});
  const auto assessed = engine.assess_denial(claim.facts());
  BOOST_TEST(assessed.faults.empty());
  BOOST_TEST(assessed.findings.size() == 50u);
}

BOOST_AUTO_TEST_CASE(the_same_claim_gives_the_same_answer_whatever_came_before) {
  lua::Engine fresh(bundle_of(50)), used(fresh.current());
  for (int i = 0; i < 1000; ++i) {
    TestClaim other;
    other.claim.submitted_amount = domain::Money::cents(i);
    other.claim.service_lines.resize(static_cast<std::size_t>(i % 50));
    used.assess_denial(other.facts());
  }
  const auto claim = zero_claim();
  const auto left = fresh.assess_denial(claim.facts()), right = used.assess_denial(claim.facts());
  BOOST_REQUIRE(left.findings.size() == 1u);
  BOOST_REQUIRE(right.findings.size() == 1u);
  BOOST_TEST(left.findings[0].probability_bps == right.findings[0].probability_bps);
  BOOST_TEST(left.findings[0].description == right.findings[0].description);
}

BOOST_AUTO_TEST_CASE(every_answer_under_reloads_comes_wholly_from_the_bundle_that_it_names) {
  std::vector<std::shared_ptr<const lua::Ruleset>> bundles;
  std::map<std::string, int> share_of;
  for (const int percent : {11, 22, 33, 44}) {
    bundles.push_back(bundle_of(percent));
    share_of[bundles.back()->stamp.sha256] = percent * 100;
  }
  lua::Engine engine(bundles[0]);
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0}, answers{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i)
    readers.emplace_back([&] {
      const auto claim = zero_claim();
      while (!done) {
        const auto assessed = engine.assess_denial(claim.facts());
        const auto expected = share_of.find(assessed.rules.sha256);
        const bool whole = expected != share_of.end() && assessed.faults.empty() && assessed.findings.size() == 1 &&
                           assessed.findings[0].probability_bps == expected->second &&
                           assessed.policy.denial_threshold_bps == expected->second;
        if (!whole) ++wrong;
        ++answers;
      }
    });
  // A few answers between two publications, so that programs are lent, returned and lent again across each.
  for (int i = 1; i <= 1000; ++i) {
    while (answers < i * 6) std::this_thread::yield();
    engine.publish(bundles[static_cast<std::size_t>(i) % bundles.size()]);
  }
  done = true;
  for (auto& reader : readers) reader.join();
  BOOST_TEST(wrong == 0);
  BOOST_TEST(engine.stamp().sha256 == engine.current()->stamp.sha256);
}

BOOST_AUTO_TEST_SUITE_END()
