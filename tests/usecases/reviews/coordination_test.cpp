// Coordination of benefits: forecasts, advances and learning for claims that other payers pay in part or in full.
#include "core/usecases/learning/keep_learning_journal.hpp"
#include "core/usecases/learning/learner.hpp"
#include "core/usecases/reviews/replay_review.hpp"
#include "tests/usecases/world.hpp"

using namespace tideover;
using namespace tideover::tests;
using domain::Decision;
using domain::ErrorCode;
using domain::Money;

namespace {

struct Coordination : World {
  Coordination() {
    ids.bear_time_of(clock);
    review_claim =
        std::make_unique<usecases::ReviewClaim>(*store, payers, rules, digests, ids, reason_codes, 7, &learner);
  }

  template <class Change>
  domain::ClaimDraft changed(const std::string& identifier, const Change& change) {
    auto claim = draft(identifier);
    change(claim.details);
    return claim;
  }
  domain::ClaimDraft second(const std::string& identifier, std::optional<std::int64_t> paid) {
    return changed(identifier, [&](domain::ClaimDetails& details) {
      details.payer_sequence = "secondary";
      if (paid) details.paid_by_others = Money::cents(*paid);
    });
  }
  /// The payer's response to a claim of 1 000.00.
  void answer(const std::string& identifier, std::int64_t paid_cents) {
    domain::RemittanceDraft remittance;
    remittance.payer_id = "PAYER";
    remittance.trace_number = "T-" + identifier;
    remittance.payment_date = clock.now().utc_date();
    remittance.payment_amount = Money::cents(paid_cents);
    domain::RemittanceClaim claim;
    claim.claim_identifier = identifier;
    claim.status = "1";
    claim.charge_amount = Money::cents(100'000);
    claim.paid_amount = Money::cents(paid_cents);
    claim.adjustments = {{"CO", "45", Money::cents(100'000 - paid_cents)}};
    remittance.claims = {claim};
    BOOST_REQUIRE(bool(post(remittance)));
    clock.advance_s(3600);
  }
  domain::Result<usecases::StoredResponse> post(const domain::RemittanceDraft& remittance) {
    return (*post_remittance)(
        context("remittance"), {remittance},
        [](const std::vector<usecases::PostedRemittance>& posted) { return posted.front().remittance.id.text(); });
  }
  void learn() {
    clock.advance_s(2);
    BOOST_REQUIRE(keeper([] { return false; }));
    BOOST_REQUIRE(learner.follow([](const usecases::Learner::Progress&) { return true; }));
  }

  usecases::Learner learner{*store, digests};
  usecases::KeepLearningJournal keeper{*store, clock, learner};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(coordination, Coordination)

BOOST_AUTO_TEST_CASE(forecast_and_advance_cover_the_rest_left_by_other_payers) {
  const auto reviewed = review(second("REST", 60'000));
  BOOST_TEST(reviewed.forecast.allowed == Money::cents(20'000));
  BOOST_TEST(reviewed.forecast.expected == Money::cents(20'000));
  const auto terms = adjudicate(reviewed);
  BOOST_TEST(terms.decision == Decision::approved);
  BOOST_TEST(terms.terms.advance_amount == Money::cents(16'000));
  BOOST_TEST(terms.expected_reimbursement == Money::cents(20'000));
  BOOST_TEST(rules.details_seen.payer_sequence == "secondary");
  BOOST_TEST((rules.details_seen.paid_by_others == Money::cents(60'000)));
}

BOOST_AUTO_TEST_CASE(nothing_is_advanced_if_other_payers_leave_nothing) {
  const auto reviewed = review(second("NOTHING", 80'000));
  BOOST_TEST(reviewed.forecast.expected.is_zero());
  const auto terms = adjudicate(reviewed);
  BOOST_TEST(terms.decision == Decision::manual_review);
  BOOST_TEST(terms.terms.advance_amount.is_zero());
}

BOOST_AUTO_TEST_CASE(submitted_details_are_stored_with_the_claim) {
  const auto claim = changed("KEPT", [](domain::ClaimDetails& details) {
    details.payer_sequence = "tertiary";
    details.paid_by_others = Money{};
    details.patient_paid = Money::cents(1'250);
    details.benefits_assigned = true;
    details.is_test = false;
  });
  review(claim);
  const auto rollup = usecases::GetClaim(*sql).rollup(caller.tenant, "KEPT");
  BOOST_REQUIRE(rollup);
  BOOST_TEST((rollup->details == claim.details));
}

BOOST_AUTO_TEST_CASE(an_advance_on_a_payment_to_another_party_is_declined) {
  const auto reason = [&](const char* identifier, const auto& change) -> std::string {
    const auto terms = adjudicate(review(changed(identifier, change)));
    BOOST_TEST((terms.status == domain::SettlementStatus::declined) == (terms.decision == Decision::declined));
    return terms.decision == Decision::declined ? terms.decision_reasons.at(0) : std::string(name_of(terms.decision));
  };
  BOOST_TEST(reason("A", [](auto& details) { details.benefits_assigned = false; }) == "benefits_not_assigned");
  BOOST_TEST(reason("B", [](auto& details) { details.is_encounter = true; }) == "encounter");
  BOOST_TEST(reason("C", [](auto& details) { details.pay_to_plan = true; }) == "pay_to_other_plan");
  BOOST_TEST(reason("D", [](auto& details) { details.claim_frequency_code = "8"; }) == "void_claim");
  BOOST_TEST(reason("E", [](auto& details) { details.benefits_assigned = true; }) == "approved");
  rules.proposal.decision = Decision::manual_review;
  BOOST_TEST(reason("F", [](auto& details) { details.benefits_assigned = false; }) == "benefits_not_assigned");
  BOOST_TEST(tasks("manual_review").empty());  // a reviewer could approve one
}

BOOST_AUTO_TEST_CASE(a_test_claim_is_advanced_in_the_sandbox_only) {
  const auto is_test = [](domain::ClaimDetails& details) { details.is_test = true; };
  BOOST_TEST(adjudicate(review(changed("SANDBOX", is_test))).decision == Decision::approved);
  caller.environment = domain::Environment::production;
  const auto terms = adjudicate(review(changed("PRODUCTION", is_test)));
  BOOST_TEST(terms.decision == Decision::declined);
  BOOST_TEST(terms.decision_reasons.at(0) == "test_claim");
  BOOST_TEST(adjudicate(review(draft("REAL"))).decision == Decision::approved);
}

BOOST_AUTO_TEST_CASE(a_test_remittance_is_refused_in_production) {
  domain::RemittanceDraft remittance;
  remittance.payer_id = "PAYER";
  remittance.trace_number = "T-1";
  remittance.payment_date = clock.now().utc_date();
  remittance.is_test = true;
  caller.environment = domain::Environment::production;
  const auto refused = post(remittance);
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_payload);
  BOOST_TEST(refused.error().message.find("ISA15") != std::string::npos);
  BOOST_TEST(events("remittance.received") == 0);
  caller.environment = domain::Environment::sandbox;
  BOOST_TEST(bool(post(remittance)));
  remittance.is_test = false;
  remittance.trace_number = "T-2";
  caller.environment = domain::Environment::production;
  BOOST_TEST(bool(post(remittance)));
}

BOOST_AUTO_TEST_CASE(answers_of_secondary_payers_do_not_change_prices) {
  rules.policy.learn_from_answers = 1;
  for (int i = 0; i < 5; ++i) {
    const auto number = std::to_string(i);
    review(draft("FIRST-" + number));
    answer("FIRST-" + number, 70'000);
  }
  learn();
  const auto before = review(draft("BEFORE"));
  BOOST_REQUIRE(before.learned);
  for (int i = 0; i < 20; ++i) {
    const auto number = std::to_string(i);
    review(second("REST-" + number, 60'000));
    answer("REST-" + number, 10'000);
    review(changed("PATIENT-" + number, [](auto& details) { details.benefits_assigned = false; }));
    answer("PATIENT-" + number, 0);
  }
  learn();
  const auto model = learner.model(caller.tenant);
  BOOST_REQUIRE(model);
  BOOST_TEST(model->state().answered_claims() == 5);
  const auto after = review(draft("AFTER"));
  BOOST_TEST(after.forecast.allowed == before.forecast.allowed);
  BOOST_TEST(after.learned->evidence == before.learned->evidence);
  const auto rest = review(second("REST", 60'000));  // estimated by the amounts that the payer allows as primary
  BOOST_TEST(rest.forecast.allowed == after.forecast.allowed - Money::cents(60'000));
  BOOST_TEST(rest.learned->cash_q90 <= rest.forecast.allowed);
}

BOOST_AUTO_TEST_CASE(a_review_of_a_secondary_claim_is_replayed_equally) {
  rules.policy.learn_from_answers = 1;
  review(draft("FIRST"));
  answer("FIRST", 70'000);
  learn();
  const auto given = review(second("REST", 60'000));
  payers.payers.front().rates = {5'000, 1'000, 5'000, 70, 90};
  review(second("REST", 10'000));  // the claim has changed
  usecases::ReplayReview replay{*store, digests, reason_codes, domain::Environment::sandbox};
  const auto recorded = replay.find(caller.tenant, given.id.text());
  BOOST_REQUIRE(recorded);
  const auto both = replay(caller.tenant, *recorded, rules);
  BOOST_REQUIRE_MESSAGE(both, why(both));
  BOOST_TEST(both->differences.empty());
  BOOST_TEST(both->replayed.forecast.expected == given.forecast.expected);
}

BOOST_AUTO_TEST_SUITE_END()
