// A world in which reviews use the model that a learner makes of earlier reviews and answers.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/usecases/learning/keep_learning_journal.hpp"
#include "core/usecases/learning/learner.hpp"
#include "tests/usecases/world.hpp"

namespace tideover::tests {

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
    remittance.payment_amount = domain::Money::cents(paid_cents);
    domain::RemittanceClaim claim;
    claim.claim_identifier = identifier;
    claim.status = paid_cents == 0 ? "4" : "1";
    claim.charge_amount = domain::Money::cents(charge_cents);
    claim.paid_amount = domain::Money::cents(paid_cents);
    claim.adjustments = {{"CO", carc, domain::Money::cents(charge_cents - paid_cents)}};
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
    const auto written = who([] { return false; });
    BOOST_REQUIRE_MESSAGE(written, why(written));
    return *written;
  }
  void follow(usecases::Learner& who) {
    const auto followed = who.follow([](const usecases::Learner::Progress&) { return true; });
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

}  // namespace tideover::tests
