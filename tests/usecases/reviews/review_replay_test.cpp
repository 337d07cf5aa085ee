// Replay of a review: equal after later changes, the differences of other rules, and reviews that cannot be replayed.
#include <chrono>
#include <memory>
#include <string>

#include "core/usecases/reviews/replay_review.hpp"
#include "tests/usecases/reviews/learning_world.hpp"

using namespace tideover;
using namespace tideover::tests;
using domain::Money;

BOOST_AUTO_TEST_SUITE(learning)

struct Replaying : Learning {
  usecases::ReplayReview replay{*store, digests, reason_codes, domain::Environment::sandbox};

  domain::Review recorded(const domain::Review& given) {
    auto found = replay.find(caller.tenant, given.id.text());
    BOOST_REQUIRE_MESSAGE(found, why(found));
    return *found;
  }
  std::string differing(const domain::Review& given) {
    const auto both = replay(caller.tenant, recorded(given), rules);
    BOOST_REQUIRE_MESSAGE(both, why(both));
    std::string fields;
    for (const auto& difference : both->differences) fields += difference.field + ' ';
    return fields;
  }
};

BOOST_FIXTURE_TEST_CASE(a_review_is_replayed_equally_after_later_changes, Replaying) {
  rules.policy.payer_evidence = 3;
  domain::Finding finding;
  finding.rule_id = "denial.late";
  finding.code = finding.carc = "29";
  finding.group = "CO";
  finding.probability_bps = finding.weight_bps = 3000;
  rules.findings = {finding};
  history(12);
  const auto first = review(draft("NEW"));
  BOOST_REQUIRE(first.learned);
  BOOST_TEST(differing(first) == "");

  payers.payers.front().rates = {5'000, 1'000, 5'000, 70, 90};  // the directory has changed
  const auto second = review(draft("NEW", 55'000));             // and so has the claim
  for (int i = 0; i < 5; ++i) {
    review(draft("MORE-" + std::to_string(i)));
    denied("MORE-" + std::to_string(i));
  }
  clock.advance_days(2);
  learn();
  BOOST_TEST(differing(first) == "");
  BOOST_TEST(differing(second) == "");
  BOOST_TEST((second.forecast.denial_probability_bps != first.forecast.denial_probability_bps));
}

BOOST_FIXTURE_TEST_CASE(a_replay_ends_at_its_deadline, Replaying) {
  history(12);
  const auto given = recorded(review(draft("NEXT")));
  int opened = 0;
  const auto open = [&]() -> domain::Result<std::shared_ptr<ports::RulePolicy>> {
    ++opened;
    return std::shared_ptr<ports::RulePolicy>(&rules, [](ports::RulePolicy*) {});
  };
  const auto late = replay(caller.tenant, given, open, std::chrono::milliseconds(0));
  BOOST_REQUIRE(!late);
  BOOST_TEST((late.error().code == domain::ErrorCode::service_unavailable));
  const auto in_time = replay(caller.tenant, given, open, std::chrono::minutes(5));
  BOOST_REQUIRE_MESSAGE(in_time, why(in_time));
  BOOST_TEST(in_time->differences.empty());
  BOOST_TEST(opened == 2);
}

BOOST_FIXTURE_TEST_CASE(a_replay_shows_the_differences_of_other_rules, Replaying) {
  history(12);
  const auto given = review(draft("NEW"));
  domain::Finding finding;
  finding.rule_id = "denial.new";
  finding.code = finding.carc = "29";
  finding.group = "CO";
  finding.probability_bps = finding.weight_bps = 9000;
  rules.findings = {finding};
  const auto fields = differing(given);
  for (const char* field : {"denial_probability ", "rules_fired ", "features "})
    BOOST_TEST(fields.find(field) != std::string::npos, fields);
}

BOOST_FIXTURE_TEST_CASE(a_replay_shows_changed_texts_of_findings, Replaying) {
  domain::Finding finding;
  finding.rule_id = "denial.late";
  finding.code = finding.carc = "29";
  finding.group = "CO";
  finding.description = "Filed late";
  finding.fix = "Appeal";
  finding.amount_at_risk = Money::cents(5'000);
  finding.probability_bps = finding.weight_bps = 9'000;
  auto warning = finding;
  warning.rule_id = "warning.near";
  warning.effect = domain::Finding::Effect::warning;
  rules.findings = {finding, warning};
  const auto given = review(draft("NEW"));
  BOOST_REQUIRE(given.denial_reasons.size() == 1u);
  BOOST_TEST(differing(given) == "");
  const auto with = [&](const auto& change) {
    rules.findings = {finding, warning};
    change(rules.findings[0]);
    return differing(given);
  };
  BOOST_TEST(with([](domain::Finding& found) { found.fix = "File it again"; }) == "denial_reasons[0].fix ");
  BOOST_TEST(with([](domain::Finding& found) { found.description = "Too late"; }) == "denial_reasons[0].description ");
  BOOST_TEST(with([](domain::Finding& found) { found.group = "PI"; }) == "denial_reasons[0].group ");
  BOOST_TEST(with([](domain::Finding& found) { found.amount_at_risk.reset(); }) == "denial_reasons[0].amount_at_risk ");
  BOOST_TEST(with([](domain::Finding& found) { found.strength = 90; }) == "rules_fired ");
  rules.findings = {finding, warning};
  rules.findings[1].fix = "Hurry";
  BOOST_TEST(differing(given) == "warnings[0].fix ");
  rules.findings = {finding, warning};
  rules.policy.date_quantile_bps = 8'001;
  BOOST_TEST(differing(given).find("date_quantile ") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_replay_shows_a_changed_description_in_the_catalogue, Replaying) {
  rules.policy.payer_evidence = 1;
  history(20);
  const auto given = review(draft("NEW"));
  BOOST_REQUIRE(!given.denial_reasons.empty());
  BOOST_REQUIRE(given.denial_reasons.front().rule_id.starts_with("record."));
  BOOST_TEST(differing(given) == "");
  reason_codes.front().description = "The time limit has expired";
  BOOST_TEST(differing(given) == "denial_reasons[0].description ");
}

BOOST_FIXTURE_TEST_CASE(a_review_made_without_a_model_is_replayed, Replaying) {
  const auto given = review(draft("FIRST"));
  history(20);
  BOOST_TEST(differing(given) == "");
}

BOOST_FIXTURE_TEST_CASE(a_review_that_cannot_be_replayed_is_refused_with_the_reason, Replaying) {
  history(12);
  auto given = recorded(review(draft("NEW")));
  const auto refused = [&](const domain::Review& review) {
    const auto both = replay(caller.tenant, review, rules);
    return both ? std::string("made") : both.error().message;
  };
  BOOST_TEST(refused(given) == "made");
  auto old = given;
  old.basis.claim_revision.reset();
  BOOST_TEST(refused(old).find("inputs were not stored") != std::string::npos, refused(old));
  auto later = given;
  later.basis.claim_revision = 1;
  BOOST_TEST(refused(later).find("revision of that time is missing") != std::string::npos, refused(later));
  auto other = given;
  other.basis.snapshot = domain::snapshot_id(*domain::snapshot_seq(given.basis.snapshot), std::string(64, '0'));
  BOOST_TEST(refused(other).find("differs from the state of") != std::string::npos, refused(other));
  other.basis.snapshot = domain::snapshot_id(1'000, std::string(64, '0'));
  BOOST_TEST(refused(other).find("ends before") != std::string::npos, refused(other));
  other.basis.snapshot = given.basis.snapshot;
  other.basis.payer_edition = "unknown";
  BOOST_TEST(refused(other).find("payer") != std::string::npos, refused(other));
  BOOST_TEST((refusal_of(replay.find(caller.tenant, "rev_nonsense")) == domain::ErrorCode::not_found));
}

BOOST_AUTO_TEST_SUITE_END()
