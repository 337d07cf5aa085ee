// Reviews that use a learned model: when it counts, what it predicts, and the history that rules see.
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "tests/usecases/reviews/learning_world.hpp"

using namespace tideover;
using namespace tideover::tests;
using domain::Money;

BOOST_AUTO_TEST_SUITE(learning)

BOOST_FIXTURE_TEST_CASE(a_model_is_not_used_before_it_has_enough_answers, Learning) {
  rules.policy.learn_from_answers = 21;
  history(20);
  const auto after = review(draft("NEW-1"));
  review_claim = std::make_unique<usecases::ReviewClaim>(*store, payers, rules, digests, ids, reason_codes,
                                                         7);  // without a model
  const auto before = review(draft("NEW-2"));
  BOOST_TEST(after.forecast.denial_probability_bps == before.forecast.denial_probability_bps);
  BOOST_TEST((after.forecast.allowed == before.forecast.allowed));
  BOOST_TEST(after.forecast.confidence_bps == before.forecast.confidence_bps);
  BOOST_TEST(!after.learned);
  BOOST_TEST(after.basis.features.empty());
  BOOST_TEST(after.basis.snapshot == learner.model(caller.tenant)->name());
}

BOOST_FIXTURE_TEST_CASE(denials_of_a_payer_are_learned_with_their_reason, Learning) {
  const auto before = review(draft("NEW-1"));
  BOOST_TEST(before.forecast.denial_probability_bps == 0);  // by the published rates
  history(20);
  const auto after = review(draft("NEW-2"));
  BOOST_REQUIRE(after.learned);
  BOOST_TEST(after.learned->weight_bps == 5000);  // twenty answers against twenty
  BOOST_TEST(after.learned->evidence == 20);
  BOOST_TEST(after.forecast.denial_probability_bps > 0);
  BOOST_TEST(after.learned->denial_low_bps <= after.forecast.denial_probability_bps);
  BOOST_TEST(after.learned->denial_high_bps >= after.forecast.denial_probability_bps);
  BOOST_TEST(after.basis.features.size() == 24u);

  rules.policy.payer_evidence = 1;
  const auto believed = review(draft("NEW-3"));
  BOOST_TEST(believed.forecast.denial_probability_bps > after.forecast.denial_probability_bps);
  BOOST_REQUIRE(believed.forecast.denial_predicted);
  BOOST_REQUIRE(!believed.denial_reasons.empty());
  BOOST_TEST(believed.denial_reasons.front().code == "29");
  BOOST_TEST(believed.denial_reasons.front().rule_id.starts_with("record."));
}

BOOST_FIXTURE_TEST_CASE(a_predicted_denial_with_an_unlisted_code_has_a_general_reason, Learning) {
  reason_codes.push_back({"OFTEN_DENIED",
                          "TIDEOVER",
                          "Claims like this are often denied",
                          {"CO"},
                          "history",
                          "denial",
                          "Look at earlier answers",
                          "",
                          true,
                          "",
                          ""});
  rules.policy.payer_evidence = 1;
  for (int i = 0; i < 20; ++i) {
    const auto identifier = "OLD-" + std::to_string(i);
    review(draft(identifier));
    answer(identifier, 0, "288");
    clock.advance_s(3600);
  }
  learn();
  const auto reviewed = review(draft("NEXT"));
  BOOST_TEST(reviewed.forecast.denial_predicted);
  BOOST_REQUIRE_EQUAL(reviewed.denial_reasons.size(), 1U);
  BOOST_TEST(reviewed.denial_reasons.front().code == "OFTEN_DENIED");
  BOOST_TEST(reviewed.denial_reasons.front().description == "Claims like this are often denied");
}

BOOST_FIXTURE_TEST_CASE(a_claim_of_hundreds_of_lines_is_estimated_as_a_whole_and_its_answer_is_learned, Learning) {
  history(20);
  auto facility = draft("FACILITY");
  facility.details.institutional.emplace().type_of_bill = "0111";
  facility.service_lines.assign(500, {"", "", 1000, Money::cents(200), "0300"});
  const auto reviewed = review(facility);
  BOOST_REQUIRE(reviewed.learned);
  BOOST_TEST(reviewed.forecast.denial_probability_bps > 0);
  BOOST_TEST(rules.history_seen.lines.size() <= 50u);
  const auto learned = digest(learner);
  denied("FACILITY");
  learn();
  BOOST_TEST(digest(learner) != learned);
}

BOOST_FIXTURE_TEST_CASE(earlier_allowed_amounts_are_expected_again, Learning) {
  history(0);
  const auto after = review(draft("NEW"));
  BOOST_TEST((after.forecast.allowed < Money::cents(80'000)));  // published: 80 %; paid: 70 %
  BOOST_TEST((after.forecast.allowed >= Money::cents(70'000)));
}

/// Claims of one line each; their payer allows 190 % of the listed fee.
struct Listed : Learning {
  Listed() {
    rules.policy.payer_evidence = 1;
    rules.list_fees = [this](const domain::ClaimDraft& claim) {
      std::vector<domain::ListedFee> fees;
      for (const auto& line : claim.service_lines)
        if (const auto& fee = listed.at(line.cpt); fee.fee) fees.push_back(fee);
      return fees;
    };
    for (int round = 0; round < 4; ++round)
      for (const auto& [code, fee] : std::map(listed)) {
        if (code == "20610") continue;
        const auto identifier = code + '-' + std::to_string(round);
        review(claim(identifier, code));
        answer(identifier, fee.fee->cents() * 190 / 100, "45", 100'000, code);
        clock.advance_s(3600);
      }
    learn();
  }
  domain::ClaimDraft claim(const std::string& identifier, const std::string& code) {
    auto made = draft(identifier);
    made.chart_identifier = domain::Sensitive<std::string>("CHART");
    domain::ServiceLine line;
    line.cpt = code;
    line.amount = made.submitted_amount;
    made.service_lines = {line};
    return made;
  }
  static domain::ListedFee fee(std::int64_t cents, int global_days = 0) { return {Money::cents(cents), global_days}; }

  std::map<std::string, domain::ListedFee> listed{{"99211", fee(40'00)},      {"99212", fee(57'00)},
                                                  {"99213", fee(92'00)},      {"99214", fee(130'00)},
                                                  {"27447", fee(300'00, 90)}, {"20610", fee(200'00)}};
};

BOOST_FIXTURE_TEST_CASE(an_unseen_procedure_is_priced_by_its_listed_fee, Listed) {
  const auto known = review(claim("NEW-1", "20610"));
  BOOST_REQUIRE(known.basis.fees.size() == 1u);
  BOOST_TEST(known.basis.fees[0].fee.value().cents() == 200'00);
  listed["20610"] = {};
  const auto unlisted = review(claim("NEW-2", "20610"));
  BOOST_TEST(std::abs(known.forecast.allowed.cents() - 380'00) <
             30'00);  // a part of the published share of the charge remains
  BOOST_TEST(std::abs(unlisted.forecast.allowed.cents() - 570'00) <
             30'00);  // only the payer's share of the charge of surgery is known
  BOOST_TEST(unlisted.basis.fees.empty());
}

BOOST_FIXTURE_TEST_CASE(rules_see_the_global_days_of_an_earlier_surgery, Listed) {
  clock.advance_s(30 * 86'400);
  review(claim("NEW-1", "99213"));
  BOOST_REQUIRE(rules.history_seen.days_since_surgery.has_value());
  BOOST_TEST(rules.history_seen.surgery_global_days == 90);
  BOOST_TEST(rules.history_seen.lines.at(0).medicare_fee.value().cents() == 92'00);
}

BOOST_FIXTURE_TEST_CASE(rules_see_the_history_and_their_findings_are_graded, Learning) {
  domain::Finding finding;
  finding.rule_id = "denial.late";
  finding.code = finding.carc = "29";
  finding.group = "CO";
  finding.probability_bps = finding.weight_bps = 3000;
  rules.findings = {finding};
  finding.rule_id = "denial.shadow";
  rules.shadowed = {finding};
  const auto first = review(draft("FIRST"));
  BOOST_REQUIRE(first.basis.fired.size() == 2u);
  BOOST_TEST(first.basis.fired[0].rule_id == "denial.late");
  BOOST_TEST(first.basis.fired[0].weight_bps == 3000);
  BOOST_TEST(first.basis.fired[1].shadow);
  history(20);
  const auto grades = learner.model(caller.tenant)->state().grades().rules;
  BOOST_REQUIRE(grades.size() == 2u);
  BOOST_TEST(grades[0].rule_id == "denial.late");
}

BOOST_AUTO_TEST_SUITE_END()
