// What-if: the review and the terms of a claim and of changes of it, and nothing of it is stored.
#include "core/usecases/reviews/compare_reviews.hpp"

#include "tests/usecases/world.hpp"

using namespace tideover;
using domain::Decision;
using domain::ErrorCode;
using domain::Money;
using tests::refusal_of;
using tests::World;

namespace {

struct CompareWorld : World {
  usecases::CompareReviews compare{*review_claim, *create_adjudication, rules, rails};

  static usecases::ChangedClaim change(std::size_t index, const domain::ClaimDraft& claim) {
    return {index, "change " + std::to_string(index), "patches[" + std::to_string(index) + "].", claim};
  }
  domain::Result<usecases::ReviewComparison> try_compare(const usecases::ComparisonRequest& request) {
    return compare(context("what if", "k1"), request);
  }
  usecases::ReviewComparison compared(const usecases::ComparisonRequest& request) {
    auto made = try_compare(request);
    BOOST_REQUIRE_MESSAGE(made, "the comparison was refused: " << tests::why(made));
    return *made;
  }
  /// Rows of everything that a review or an adjudication writes.
  std::string stored() {
    return std::to_string(events("review.completed") + events("adjudication.created")) + ' ' +
           std::to_string(audit_rows()) + ' ' + std::to_string(tasks().size()) + ' ' +
           (answer_under("what if", "k1") ? "answer" : "none");
  }
};

domain::Finding finding(const std::string& code, domain::Finding::Effect effect) {
  domain::Finding found;
  found.effect = effect;
  found.rule_id = "rule." + code;
  found.code = code;
  found.field = "facility";
  found.description = "Something is wrong.";
  found.probability_bps = 9'000;
  return found;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(compare_reviews, CompareWorld)

BOOST_AUTO_TEST_CASE(the_base_is_what_a_review_and_an_adjudication_say_and_nothing_is_stored) {
  const auto before = stored();
  const auto claim = draft("CLM-1");
  const auto tried = compared({claim, {}, "RTP"});
  BOOST_TEST(stored() == before);
  BOOST_TEST(refusal_of(usecases::GetClaim(*sql).status(caller.tenant, "CLM-1")) == ErrorCode::claim_not_found);
  BOOST_TEST(tried.rail == "RTP");
  BOOST_TEST(tried.changes.empty());

  const auto made = review(claim);
  const auto settled = adjudicate(made, "RTP");
  const auto& forecast = tried.base.review.forecast;
  BOOST_TEST(forecast.expected == made.forecast.expected);
  BOOST_TEST(forecast.denial_probability_bps == made.forecast.denial_probability_bps);
  BOOST_TEST((forecast.payment_date == made.forecast.payment_date));
  BOOST_TEST(tried.base.review.rules.sha256 == made.rules.sha256);
  BOOST_TEST((tried.base.terms.decision == settled.decision));
  BOOST_TEST(tried.base.terms.terms.advance_amount == settled.terms.advance_amount);
  BOOST_TEST(tried.base.terms.terms.fee_estimate == settled.terms.fee_estimate);
}

BOOST_AUTO_TEST_CASE(changes_are_ranked_by_the_expected_payment_and_else_as_sent) {
  const auto tried = compared({draft("CLM-1"),
                               {change(0, draft("CLM-1", 50'000)), change(1, draft("CLM-1", 200'000)),
                                change(2, draft("CLM-1")), change(3, draft("CLM-1"))},
                               ""});
  std::string order;
  for (const auto& changed : tried.changes) order += std::to_string(changed.index);
  BOOST_TEST(order == "1230");
  BOOST_TEST(tried.changes[0].label == "change 1");
  BOOST_TEST(tried.changes[0].outcome.review.forecast.expected == Money::cents(160'000));
  BOOST_TEST(tried.changes[0].outcome.terms.terms.advance_amount == Money::cents(128'000));
  BOOST_TEST(tried.base.terms.terms.advance_amount == Money::cents(64'000));
  BOOST_TEST(tried.rail == "SAME_DAY");  // the first configured one
}

BOOST_AUTO_TEST_CASE(terms_count_what_is_out_like_those_of_an_adjudication) {
  funded("CLM-0");
  rules.most_open = Money{};
  const auto tried = compared({draft("CLM-1"), {change(0, draft("CLM-1", 1'000))}, "RTP"});
  const auto settled = adjudicate(review(draft("CLM-1")), "RTP");
  BOOST_TEST((settled.decision == Decision::manual_review));
  BOOST_TEST((tried.base.terms.decision == Decision::manual_review));
  BOOST_TEST(tried.base.terms.reasons == settled.decision_reasons, boost::test_tools::per_element());
  BOOST_TEST((tried.changes[0].outcome.terms.decision == Decision::manual_review));
}

BOOST_AUTO_TEST_CASE(a_claim_with_an_advance_can_be_compared_and_stays_as_it_is) {
  const auto paid = funded("CLM-1");
  const auto waits = adjudicate(review(draft("CLM-2")));
  const auto before = stored();
  for (const char* identifier : {"CLM-1", "CLM-2"})
    BOOST_TEST(compared({draft(identifier, 70'000), {}, ""}).base.review.forecast.expected == Money::cents(56'000));
  BOOST_TEST(stored() == before);
  BOOST_TEST((settlement(paid.id).status == domain::SettlementStatus::funded));
  BOOST_TEST((settlement(waits.id).status == domain::SettlementStatus::pending_confirmation));
  const auto kept = seen([&](const ports::Records& records) { return records.claims().find(caller.tenant, "CLM-2"); });
  BOOST_TEST(kept->claim.draft.submitted_amount == Money::cents(100'000));
}

BOOST_AUTO_TEST_CASE(what_strict_rules_refuse_names_the_change_and_the_field) {
  rules.find = [](const domain::ClaimDraft& claim, std::vector<domain::Finding>) {
    std::vector<domain::Finding> found;
    if (claim.facility == "bad") found.push_back(finding("29", domain::Finding::Effect::refusal));
    return found;
  };
  auto bad = draft("CLM-1");
  bad.facility = "bad";
  const auto refused = try_compare({draft("CLM-1"), {change(0, bad), change(1, draft("CLM-1")), change(2, bad)}, ""});
  BOOST_TEST(refusal_of(refused) == ErrorCode::validation_error);
  BOOST_REQUIRE(refused.error().fields.size() == 2u);
  BOOST_TEST(refused.error().fields[0].path == "patches[0].facility");
  BOOST_TEST(refused.error().fields[1].path == "patches[2].facility");
  const auto base = try_compare({bad, {}, ""});
  BOOST_TEST(refusal_of(base) == ErrorCode::validation_error);
  BOOST_TEST(base.error().fields.front().path == "facility");
}

BOOST_AUTO_TEST_CASE(a_change_shows_the_denial_that_it_avoids) {
  rules.find = [](const domain::ClaimDraft& claim, std::vector<domain::Finding>) {
    std::vector<domain::Finding> found;
    if (claim.facility != "good") found.push_back(finding("29", domain::Finding::Effect::reason));
    return found;
  };
  auto good = draft("CLM-1");
  good.facility = "good";
  const auto tried = compared({draft("CLM-1"), {change(0, good)}, ""});
  BOOST_TEST(tried.base.review.forecast.denial_predicted);
  BOOST_TEST(tried.base.review.denial_reasons.front().code == "29");
  const auto& changed = tried.changes[0].outcome.review;
  BOOST_TEST(!changed.forecast.denial_predicted);
  BOOST_TEST(changed.denial_reasons.empty());
  BOOST_TEST(changed.forecast.expected > tried.base.review.forecast.expected);
}

BOOST_AUTO_TEST_CASE(one_bundle_decides_all_of_it) {
  int switches = 1;
  rules.adapt = [&](const ports::TermsFacts&, domain::TermsProposal as_set) {
    if (switches > 0) {
      --switches;
      rules.bundle = {"fake-" + std::to_string(switches), std::string(64, static_cast<char>('1' + switches % 2))};
    }
    return as_set;
  };
  const auto tried = compared({draft("CLM-1"), {change(0, draft("CLM-1", 1'000))}, ""});
  BOOST_TEST(tried.base.review.rules.sha256 == rules.bundle.sha256);
  BOOST_TEST(tried.changes[0].outcome.review.rules.sha256 == rules.bundle.sha256);
  switches = 1'000;
  const auto refused = try_compare({draft("CLM-1"), {}, ""});
  BOOST_TEST(refusal_of(refused) == ErrorCode::service_unavailable);
  BOOST_TEST(refused.error().retry_after_s.value_or(0) == 1);
}

BOOST_AUTO_TEST_CASE(an_unknown_rail_is_refused) {
  const auto refused = try_compare({draft("CLM-1"), {}, "WIRE"});
  BOOST_TEST(refusal_of(refused) == ErrorCode::validation_error);
  BOOST_TEST(refused.error().fields.front().path == "funding.rail");
}

BOOST_AUTO_TEST_SUITE_END()
