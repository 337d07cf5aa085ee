// The learning journal, the learners that follow it, and reviews that use the learned models.
#include "core/usecases/learning/keep_learning_journal.hpp"
#include "core/usecases/learning/learner.hpp"
#include "core/usecases/learning/read_quality.hpp"
#include "core/usecases/reviews/replay_review.hpp"
#include "tests/usecases/world.hpp"

using namespace tideover;
using namespace tideover::tests;
using domain::Money;

namespace {

const auto kNever = [] { return false; };
const auto kOn = [](const usecases::Learner::Progress&) { return true; };

struct Learning : World {
  Learning() {
    ids.bear_time_of(clock);
    rules.policy.learn_from_answers = 10;
    review_claim =
        std::make_unique<usecases::ReviewClaim>(*store, payers, rules, digests, ids, reason_codes, 7, &learner);
  }

  /// The payer's response to a claim of 1 000.00, or to its only line.
  void answer(const std::string& identifier, std::int64_t paid_cents, const std::string& carc,
              std::int64_t charge_cents = 100'000, const std::string& code = "") {
    domain::RemittanceDraft remittance;
    remittance.payer_id = "PAYER";
    remittance.trace_number = "T-" + identifier;
    remittance.payment_date = clock.now().utc_date();
    remittance.payment_amount = Money::cents(paid_cents);
    domain::RemittanceClaim claim;
    claim.claim_identifier = identifier;
    claim.status = paid_cents == 0 ? "4" : "1";
    claim.charge_amount = Money::cents(charge_cents);
    claim.paid_amount = Money::cents(paid_cents);
    claim.adjustments = {{"CO", carc, Money::cents(charge_cents - paid_cents)}};
    if (!code.empty()) {
      domain::RemittanceLine line;
      line.cpt = code;
      line.charge_amount = claim.charge_amount;
      line.paid_amount = claim.paid_amount;
      line.adjustments.swap(claim.adjustments);
      claim.lines = {line};
    }
    remittance.claims = {claim};
    BOOST_REQUIRE((*post_remittance)(context("remittance"), {remittance},
                                     [](const std::vector<usecases::PostedRemittance>&) { return ""; }));
  }
  void denied(const std::string& identifier) { answer(identifier, 0, "29"); }

  std::int64_t keep(usecases::KeepLearningJournal& who) {
    clock.advance_s(2);
    const auto written = who(kNever);
    BOOST_REQUIRE_MESSAGE(written, why(written));
    return *written;
  }
  void follow(usecases::Learner& who) {
    const auto followed = who.follow(kOn);
    BOOST_REQUIRE_MESSAGE(followed, why(followed));
  }
  void learn() {
    keep(keeper);
    follow(learner);
  }
  std::string digest(const usecases::Learner& who) { return usecases::digest_text(who.model(caller.tenant)->state()); }
  std::vector<domain::LearningBatch> batches() {
    return seen([&](const ports::Records& records) { return records.learning().behind(caller.tenant, 0, 1000); });
  }
  std::size_t entries() {
    std::size_t sum = 0;
    for (const auto& batch : batches()) sum += batch.entries.size();
    return sum;
  }
  void append(const domain::LearningBatch& batch) {
    BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
      records.learning().append(caller.tenant, batch);
      return {};
    })));
  }
  /// Twenty claims, of which the payer refuses so many for late filing.
  void history(int refused) {
    for (int i = 0; i < 20; ++i) {
      const auto identifier = "OLD-" + std::to_string(i);
      review(draft(identifier));
      i < refused ? denied(identifier) : answer(identifier, 70'000, "45");
      clock.advance_s(3600);
    }
    learn();
  }

  usecases::Learner learner{*store, digests};
  usecases::KeepLearningJournal keeper{*store, clock, learner};
};

}  // namespace

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
  BOOST_TEST(with([](domain::Finding& found) { found.fix = "File anew"; }) == "denial_reasons[0].fix ");
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
