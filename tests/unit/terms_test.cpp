// Terms: rules propose, the domain bounds.
#include "core/domain/funding/terms.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>

#include "tests/fakes/printing.hpp"

using namespace tideover::domain;

namespace {

Review review_expecting(std::int64_t cents) {
  Review review;
  review.forecast.allowed = review.forecast.expected = Money::cents(cents);
  return review;
}

TermsProposal proposal(int advance_bps, int fee_bps, Decision decision = Decision::approved) {
  return {decision, advance_bps, fee_bps, {}};
}

bool names(const BoundedTerms& bounded, const char* reason) {
  return std::count(bounded.reasons.begin(), bounded.reasons.end(), reason) == 1;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(terms)

BOOST_AUTO_TEST_CASE(an_expected_800_gives_an_advance_of_640_for_12_80) {
  const auto bounded = bound_terms(proposal(8000, 200), review_expecting(80'000), {});
  BOOST_TEST(bounded.decision == Decision::approved);
  BOOST_TEST(bounded.terms.advance_amount == Money::cents(64'000));
  BOOST_TEST(bounded.terms.fee_estimate == Money::cents(1'280));
  BOOST_TEST(bounded.terms.advance_bps == 8000);
  BOOST_TEST(bounded.reasons.empty());
}

BOOST_AUTO_TEST_CASE(the_limits_hold_for_any_proposal) {
  std::mt19937 random(7);
  const auto number = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  for (int i = 0; i < 20'000; ++i) {
    const TermsLimits limits{number(0, kOneInBps), number(0, kOneInBps), Money::cents(number(0, 200'000))};
    const auto review = review_expecting(number(0, 300'000));
    const auto given = proposal(number(-2'000, 12'000), number(-2'000, 12'000), static_cast<Decision>(number(0, 2)));
    const auto bounded = bound_terms(given, review, limits);
    BOOST_REQUIRE(bounded.terms.advance_amount <= limits.max_advance);
    BOOST_REQUIRE(bounded.terms.advance_amount <= review.forecast.expected);
    BOOST_REQUIRE(bounded.terms.advance_amount <= portion(review.forecast.expected, limits.max_advance_bps));
    BOOST_REQUIRE(bounded.terms.fee_estimate <= portion(bounded.terms.advance_amount, limits.max_fee_bps));
    BOOST_REQUIRE(bounded.terms.advance_amount >= Money{});
    BOOST_REQUIRE(bounded.terms.fee_estimate >= Money{});
    BOOST_REQUIRE(bounded.decision == given.decision ||
                  (given.decision == Decision::approved && bounded.decision == Decision::manual_review));
    BOOST_REQUIRE(bounded.decision != Decision::approved || bounded.terms.advance_amount > Money{});
  }
}

BOOST_AUTO_TEST_CASE(a_share_outside_0_to_1_goes_to_manual_review) {
  for (const auto& given : {proposal(-1, 200), proposal(10'001, 200), proposal(8000, -1), proposal(8000, 10'001)}) {
    const auto bounded = bound_terms(given, review_expecting(80'000), {});
    BOOST_TEST(bounded.decision == Decision::manual_review);
    BOOST_TEST(names(bounded, "proposed_terms_out_of_range"));
    BOOST_TEST(bounded.terms.advance_amount.is_zero());
  }
}

BOOST_AUTO_TEST_CASE(an_advance_above_the_maximum_is_cut_and_goes_to_manual_review) {
  const auto bounded = bound_terms(proposal(8000, 200), review_expecting(80'000), {9000, 1000, Money::cents(50'000)});
  BOOST_TEST(bounded.decision == Decision::manual_review);
  BOOST_TEST(bounded.terms.advance_amount == Money::cents(50'000));
  BOOST_TEST(bounded.terms.fee_estimate == Money::cents(1'000));
  BOOST_TEST(names(bounded, "advance_exceeds_maximum"));
}

BOOST_AUTO_TEST_CASE(a_rule_that_failed_sends_the_claim_to_manual_review) {
  auto review = review_expecting(80'000);
  review.rule_faults.push_back({"denial.duplicate", "ran out of budget"});
  const auto bounded = bound_terms(proposal(8000, 200), review, {});
  BOOST_TEST(bounded.decision == Decision::manual_review);
  BOOST_TEST(names(bounded, "rule_error"));
  BOOST_TEST(bound_terms(proposal(8000, 200, Decision::declined), review, {}).decision == Decision::declined);
}

BOOST_AUTO_TEST_CASE(an_advance_of_nothing_is_not_approved) {
  for (const auto& bounded : {bound_terms(proposal(0, 200), review_expecting(80'000), {}),
                              bound_terms(proposal(8000, 200), review_expecting(0), {})}) {
    BOOST_TEST(bounded.decision == Decision::manual_review);
    BOOST_TEST(names(bounded, "nothing_to_advance"));
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_advanced_on_a_claim_whose_payment_goes_elsewhere) {
  const auto refusals = [](const auto& change, Environment environment = Environment::sandbox) {
    ClaimDetails claim;
    change(claim);
    return advance_refusals(claim, environment);
  };
  using Texts = std::vector<std::string>;
  BOOST_TEST(refusals([](ClaimDetails&) {}) == Texts{}, boost::test_tools::per_element());
  BOOST_TEST(refusals(
                 [](ClaimDetails& claim) {
                   claim.benefits_assigned = claim.accepts_assignment = true;
                   claim.is_encounter = claim.is_test = claim.pay_to_plan = false;
                 },
                 Environment::production) == Texts{},
             boost::test_tools::per_element());
  BOOST_TEST(refusals([](ClaimDetails& claim) { claim.benefits_assigned = false; }) == Texts{"benefits_not_assigned"},
             boost::test_tools::per_element());
  BOOST_TEST(refusals([](ClaimDetails& claim) { claim.is_encounter = true; }) == Texts{"encounter"},
             boost::test_tools::per_element());
  BOOST_TEST(refusals([](ClaimDetails& claim) { claim.pay_to_plan = true; }) == Texts{"pay_to_other_plan"},
             boost::test_tools::per_element());
  BOOST_TEST(refusals([](ClaimDetails& claim) { claim.claim_frequency_code = "8"; }) == Texts{"void_claim"},
             boost::test_tools::per_element());
  const auto is_test = [](ClaimDetails& claim) { claim.is_test = true; };
  BOOST_TEST(refusals(is_test) == Texts{}, boost::test_tools::per_element());  // no money moves there
  BOOST_TEST(refusals(is_test, Environment::production) == Texts{"test_claim"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_refusal_declines_any_proposal) {
  for (const auto& given : {proposal(8000, 200), proposal(8000, 200, Decision::manual_review), proposal(10'001, 200),
                            proposal(0, 0, Decision::declined)}) {
    const auto bounded = bound_terms(given, review_expecting(80'000), {}, {"encounter"});
    BOOST_TEST(bounded.decision == Decision::declined);
    BOOST_TEST(names(bounded, "encounter"));
  }
  auto refused = proposal(8000, 200, Decision::declined);
  refused.reasons = {"encounter"};
  BOOST_TEST(names(bound_terms(refused, review_expecting(80'000), {}, {"encounter"}), "encounter"));  // once
}

BOOST_AUTO_TEST_CASE(decisions_have_names) {
  for (const auto decision : {Decision::approved, Decision::declined, Decision::manual_review})
    BOOST_TEST(*decision_named(name_of(decision)) == decision);
  BOOST_TEST(!decision_named("maybe"));
}

BOOST_AUTO_TEST_SUITE_END()
