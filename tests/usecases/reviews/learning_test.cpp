// The learning journal and the learners that follow it.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/usecases/learning/read_quality.hpp"
#include "tests/usecases/reviews/learning_world.hpp"

using namespace tideover;
using namespace tideover::tests;
using domain::Money;

BOOST_AUTO_TEST_SUITE(learning)

BOOST_FIXTURE_TEST_CASE(reviews_and_answers_are_filed_once_in_order_and_learned, Learning) {
  review(draft("A"));
  review(draft("B"));
  denied("A");
  BOOST_TEST(!learner.model(caller.tenant));
  learn();
  BOOST_REQUIRE(batches().size() == 1u);
  const auto batch = batches().front();
  BOOST_REQUIRE(batch.entries.size() == 3u);
  BOOST_TEST(std::holds_alternative<domain::ReviewObserved>(batch.entries[0]));
  BOOST_TEST(std::holds_alternative<domain::ReviewObserved>(batch.entries[1]));
  BOOST_TEST(
      std::get<domain::AnswerObserved>(batch.entries[2]).claim.text() ==
      seen([&](const ports::Records& records) { return records.claims().find(caller.tenant, "A")->claim.id; }).text());
  const auto model = learner.model(caller.tenant);
  BOOST_REQUIRE(model);
  BOOST_TEST(model->state().open_claims() == 2u);
  BOOST_TEST(model->state().answered_claims() == 1);
  BOOST_TEST(model->name() == domain::snapshot_id(1, batch.sha256));
  clock.advance_s(60);
  BOOST_TEST(keep(keeper) == 0);
  BOOST_TEST(entries() == 3u);
}

BOOST_FIXTURE_TEST_CASE(reviews_that_become_visible_late_are_filed, Learning) {
  review(draft("A"));
  learn();
  clock.advance_s(-6);  // its id is older than those already scanned
  review(draft("LATE"));
  clock.advance_s(6);
  learn();
  BOOST_TEST(entries() == 2u);
  // More than a minute late, only the longer scan finds it.
  clock.advance_s(100);
  review(draft("B"));
  learn();
  clock.advance_s(-90);
  review(draft("LATER"));
  clock.advance_s(95);
  learn();
  BOOST_TEST(entries() == 3u);
  clock.advance_s(30);
  learn();
  BOOST_TEST(entries() == 4u);
}

BOOST_FIXTURE_TEST_CASE(a_first_scan_across_midnight_files_nothing_twice, Learning) {
  constexpr std::int64_t kDay = 86'400;
  const auto at = [&, midnight = (clock.now().ms() / 1000 / kDay + 1) * kDay](std::int64_t seconds) {
    clock.advance_s(midnight + seconds - clock.now().ms() / 1000);
  };
  at(-600);
  review(draft("A"));
  at(300);
  review(draft("B"));
  at(480);
  learn();
  at(-60);
  review(draft("LATE"));  // becomes visible after later reviews were filed
  at(540);
  review(draft("C"));
  usecases::KeepLearningJournal second(*store, clock, learner);
  keep(second);
  BOOST_TEST(entries() == 4u);
}

BOOST_FIXTURE_TEST_CASE(a_day_is_closed_before_entries_of_the_next_day, Learning) {
  review(draft("MONDAY"));
  clock.advance_days(1);
  review(draft("TUESDAY"));
  denied("MONDAY");
  clock.advance_days(3);
  learn();
  std::vector<std::string> filed;
  for (const auto& batch : batches())
    filed.push_back(batch.closes_day ? "close " + format_date(*batch.closes_day)
                                     : std::to_string(batch.entries.size()));
  const std::vector<std::string> expected{"1", "close 2026-11-20", "2", "close 2026-11-23"};
  BOOST_TEST(filed == expected, boost::test_tools::per_element());
  clock.advance_days(1);
  BOOST_TEST(keep(keeper) == 1);  // the day is over, though nothing happened
  BOOST_TEST(!batches().back().state_digest.empty());
  follow(learner);
  BOOST_TEST(learner.diverged() == 0);
}

BOOST_FIXTURE_TEST_CASE(days_are_closed_by_the_clock_of_the_tenant, Learning) {
  review(draft("FRIDAY"));
  learn();
  shift_clock_days(60);
  learn();
  BOOST_REQUIRE(batches().back().closes_day.has_value());
  BOOST_TEST(*batches().back().closes_day == clock.now().utc_date().plus(59));
  review(draft("LATER"));
  learn();
  BOOST_TEST(batches().back().entries.size() == 1u);
  usecases::Learner other(*store, digests);
  follow(other);
  BOOST_TEST(digest(other) == digest(learner));
}

BOOST_FIXTURE_TEST_CASE(a_long_history_is_filed_in_batches_by_several_workers, Learning) {
  for (int i = 0; i < 25; ++i) {
    const auto identifier = "C" + std::to_string(i);
    review(draft(identifier));
    if (i % 2 == 0) denied(identifier);
    clock.advance_s(1);
  }
  usecases::LearningJournalOptions options;
  options.entries = 4;
  usecases::KeepLearningJournal first(*store, clock, learner, options), second(*store, clock, learner, options);
  int rounds = 0;
  clock.advance_s(2);
  BOOST_REQUIRE(first([&] { return ++rounds > 3; }));
  BOOST_TEST(entries() == 12u);
  keep(second);
  BOOST_TEST(entries() == 38u);
  BOOST_TEST(keep(first) == 0);  // detects that another worker continued
  for (const auto& batch : batches()) BOOST_TEST(batch.entries.size() <= 4u);
}

BOOST_FIXTURE_TEST_CASE(a_node_that_starts_later_has_the_same_model, Learning) {
  history(5);
  auto changed = draft("OLD-3", 250'000);  // reviewed again with another charge
  changed.service_lines = {{"99213", "", 1000, Money::cents(250'000)}};
  review(changed);
  clock.advance_days(2);
  learn();
  usecases::Learner late(*store, digests);
  follow(late);
  BOOST_TEST(digest(late) == digest(learner));
  BOOST_TEST(late.model(caller.tenant)->name() == learner.model(caller.tenant)->name());
  BOOST_TEST(late.skipped() == 0);
  BOOST_TEST(late.diverged() == 0);
}

BOOST_FIXTURE_TEST_CASE(grades_use_the_stated_forecast_not_the_prediction_of_the_record, Learning) {
  rules.policy.learn_from_answers = 1'000;  // published rates only
  std::int64_t probability = 0, confidence = 0, amount_error = 0, days = 0, in_time = 0, advanced = 0;
  for (int i = 0; i < 20; ++i) {
    const auto identifier = "OLD-" + std::to_string(i);
    const auto said = review(draft(identifier)).forecast;
    probability += said.denial_probability_bps;
    confidence += said.confidence_bps;
    advanced += portion(said.expected, 8'500).cents();
    if (i < 5) {
      denied(identifier);
    } else {
      answer(identifier, 70'000, "45");
      amount_error += std::abs(said.allowed.cents() - 70'000);
      days += days_between(said.payment_date, clock.now().utc_date());
      in_time += clock.now().utc_date() <= said.payment_date;
    }
    clock.advance_s(3600);
  }
  clock.advance_days(100);
  learn();
  const auto grades = learner.model(caller.tenant)->state().grades();
  const auto predicted_bps = [](const estimators::Reliability& reliability) {
    std::int64_t sum = 0;
    for (const auto& bin : reliability.bins()) sum += bin.predicted_millionths / 100;
    return sum;
  };
  BOOST_TEST(grades.denial.claims() == 20);
  BOOST_TEST(predicted_bps(grades.denial) == probability);
  BOOST_TEST(grades.confidence.claims() == 20);
  BOOST_TEST(predicted_bps(grades.confidence) == confidence);
  BOOST_TEST(grades.amounts.claims == 15);
  BOOST_TEST(grades.amounts.absolute_error_cents == amount_error);
  BOOST_REQUIRE(grades.payers.size() == 1u);
  BOOST_TEST(grades.payers[0].error == days);
  BOOST_TEST(grades.payers[0].in_time == in_time);
  BOOST_TEST(grades.advances.claims == 20);
  BOOST_TEST(grades.advances.advanced_cents == advanced);
  BOOST_TEST(grades.advances.expected_loss_cents == 0);  // of published rates that deny nothing
}

BOOST_FIXTURE_TEST_CASE(a_deposit_before_its_remittance_counts_on_its_bank_date, Learning) {
  const auto deposit = [&](const std::string& identifier) {
    domain::Deposit money;
    money.payer_id = "PAYER";
    money.amount = Money::cents(70'000);
    money.received_date = clock.now().utc_date();
    money.trace_number = "T-" + identifier;
    BOOST_REQUIRE((*post_deposit)(context("deposit"), money, [](const usecases::PostedDeposit&) { return ""; }));
  };
  const auto first = review(draft("FIRST")).forecast, second = review(draft("SECOND")).forecast;
  clock.advance_days(3);
  deposit("FIRST");
  const auto booked = clock.now().utc_date();
  clock.advance_days(4);
  answer("FIRST", 70'000, "45");
  answer("SECOND", 70'000, "45");
  const auto announced = clock.now().utc_date();
  learn();
  clock.advance_days(1);
  deposit("SECOND");  // after the response was learned
  learn();
  const auto error = [&](const usecases::Learner& who) {
    return who.model(caller.tenant)->state().grades().payers.at(0).error;
  };
  BOOST_TEST(error(learner) == days_between(first.payment_date, booked) + days_between(second.payment_date, announced));
  usecases::Learner late(*store, digests);
  follow(late);
  BOOST_TEST(error(late) == error(learner));
  BOOST_TEST(digest(late) == digest(learner));
}

BOOST_FIXTURE_TEST_CASE(grading_of_a_period_can_be_stopped, Learning) {
  history(5);
  learn();
  usecases::ReadQuality read_quality(*store, digests, learner);
  const usecases::GradePeriod period{std::nullopt, clock.now().utc_date().plus(1)};
  std::int64_t read = 0;
  const auto whole = read_quality(caller.tenant, period, [&](std::int64_t events) { return (read = events) > 0; });
  BOOST_REQUIRE_MESSAGE(whole, why(whole));
  BOOST_TEST(read >= 40);  // reviews and answers
  const auto stopped = read_quality(caller.tenant, period, [](std::int64_t) { return false; });
  BOOST_REQUIRE(!stopped);
  BOOST_TEST(stopped.error().fields.at(0).path == "to");
  BOOST_TEST(bool(read_quality(caller.tenant, period, [](std::int64_t) { return true; })));
}

BOOST_FIXTURE_TEST_CASE(unreadable_entries_are_skipped_and_counted, Learning) {
  review(draft("A"));
  learn();
  domain::LearningBatch batch;
  batch.seq = 2;
  batch.observed_until = clock.now();
  batch.entries = {domain::ReviewObserved{ids.next<domain::AuthorizationId>()},
                   domain::AnswerObserved{ids.next<domain::RemittanceId>(), 0, ids.next<domain::ClaimId>()}};
  append(batch);
  follow(learner);
  BOOST_TEST(learner.skipped() == 2);
  BOOST_TEST(learner.seq_of(caller.tenant) == 2);
  review(draft("B"));
  learn();
  BOOST_TEST(learner.model(caller.tenant)->state().open_claims() == 2u);
}

BOOST_FIXTURE_TEST_CASE(a_model_that_differs_from_the_journal_is_reported, Learning) {
  review(draft("A"));
  learn();
  domain::LearningBatch batch;
  batch.seq = 2;
  batch.observed_until = clock.now();
  batch.closes_day = clock.now().utc_date();
  batch.state_digest = digest(learner);
  append(batch);
  follow(learner);
  BOOST_TEST(learner.diverged() == 0);
  batch.seq = 3;
  batch.closes_day = clock.now().utc_date().plus(1);
  batch.state_digest = std::string(32, '0');
  append(batch);
  follow(learner);
  BOOST_TEST(learner.diverged() == 1);
}

BOOST_FIXTURE_TEST_CASE(an_answer_to_another_claim_changes_nothing, Learning) {
  review(draft("A"));
  answer("A", 30'000, "45", 55'500);  // a known number with another charge
  learn();
  BOOST_TEST(entries() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
