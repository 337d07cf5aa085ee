// Answers of payers from acceptance to posting and learning, and through a restart: no accepted answer stops a node or
// its start, and every node has the same model. A failure prints its seed; TIDEOVER_SEED=<seed> repeats it.
#include <cstdlib>
#include <iostream>
#include <new>
#include <random>
#include <stdexcept>

#include "core/usecases/learning/keep_learning_journal.hpp"
#include "core/usecases/learning/learner.hpp"
#include "core/usecases/learning/put_learning_aside.hpp"
#include "core/usecases/learning/read_quality.hpp"
#include "tests/usecases/matching/matching_steps_world.hpp"

using namespace tideover;
using namespace tideover::tests;
using domain::Money;

namespace {

struct Answers : MatchingStepsWorld {
  Answers() {
    ids.bear_time_of(clock);
    rules.policy.learn_from_answers = 1;
    review_claim =
        std::make_unique<usecases::ReviewClaim>(*store, payers, rules, digests, ids, reason_codes, 7, &learner);
  }

  usecases::PutLearningAside put_aside() { return {*store, clock, ids}; }
  /// A learner of a starting node: it reads everything from the store.
  std::unique_ptr<usecases::Learner> started(estimators::ApplyEvent apply = estimators::apply) {
    return std::make_unique<usecases::Learner>(*store, digests, estimators::Options{}, put_aside(), std::move(apply));
  }
  domain::Result<usecases::Learner::Progress> try_follow(usecases::Learner& who) {
    return who.follow([](const usecases::Learner::Progress&) { return true; });
  }
  void follow(usecases::Learner& who) {
    const auto followed = try_follow(who);
    BOOST_REQUIRE_MESSAGE(followed, why(followed));
  }
  void file() {
    clock.advance_s(2);
    const auto written = keeper([] { return false; });
    BOOST_REQUIRE_MESSAGE(written, why(written));
  }
  void learn() {
    file();
    follow(learner);
  }
  std::string digest(const usecases::Learner& who) { return usecases::digest_text(who.model(caller.tenant)->state()); }

  /// Posts the claims unchanged in a balanced remittance.
  void post(const std::vector<domain::RemittanceClaim>& claims, const std::string& trace,
            std::optional<domain::Date> day = std::nullopt) {
    domain::RemittanceDraft draft;
    draft.payer_id = "PAYER";
    draft.trace_number = trace;
    draft.payment_date = day.value_or(clock.now().utc_date());
    for (const auto& claim : claims) draft.payment_amount += claim.paid_amount;
    draft.claims = claims;
    const auto posted = (*post_remittance)(
        context("remittance"), {draft},
        [](const std::vector<usecases::PostedRemittance>& one) { return one.front().remittance.id.text(); });
    BOOST_REQUIRE_MESSAGE(posted, why(posted));
    last = posted->body;
  }
  static domain::RemittanceClaim answer(const std::string& name, std::int64_t paid = 70'000,
                                        const std::string& status = "1", std::int64_t charge = 100'000) {
    domain::RemittanceClaim claim;
    claim.claim_identifier = name;
    claim.status = status;
    claim.charge_amount = Money::cents(charge);
    claim.paid_amount = Money::cents(paid);
    return claim;
  }
  static domain::RemittanceClaim with_line(domain::RemittanceClaim claim, std::int64_t charge, std::int64_t paid,
                                           std::optional<std::int64_t> allowed = std::nullopt) {
    auto& line = claim.lines.emplace_back();
    line.cpt = "99213";
    line.charge_amount = Money::cents(charge);
    line.paid_amount = Money::cents(paid);
    if (allowed) line.allowed_amount = Money::cents(*allowed);
    return claim;
  }
  std::vector<domain::SetAside> set_aside() {
    return seen(
        [&](const ports::Records& records) { return records.learning().set_aside(caller.tenant, 0, 1'000'000); });
  }

  usecases::Learner learner{*store, digests, {}, put_aside()};
  usecases::KeepLearningJournal keeper{*store, clock, learner};
  std::string last;  // remittance
};

/// Throws at an answer with this paid amount.
struct Failing {
  std::int64_t at_cents = 0;
  bool out_of_memory = false;
  int times = 1'000'000;
  void operator()(estimators::State& state, const estimators::Event& event, estimators::State::Observation* observed) {
    estimators::apply(state, event, observed);
    const auto* response = std::get_if<estimators::Response>(&event);
    if (!response || response->remittance.paid_amount.cents() != at_cents || times-- <= 0) return;
    if (out_of_memory) throw std::bad_alloc();
    throw std::runtime_error("no state takes this");
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(answers, Answers)

BOOST_AUTO_TEST_CASE(an_unusable_answer_is_set_aside_with_one_task_and_skipped_at_starts) {
  for (const char* name : {"GOOD", "LINE", "TOLD", "WHOLE"}) review(draft(name));
  post({answer("GOOD")}, "T1");
  post({with_line(answer("LINE", 0), -1, -1), with_line(answer("TOLD", 0), -100, -100, 0),
        answer("WHOLE", 0, "1", -100'000)},
       "T2");
  learn();
  BOOST_TEST(learner.model(caller.tenant)->state().answered_claims() == 1);
  BOOST_TEST(learner.set_aside() == 3);
  const auto aside = set_aside();
  BOOST_REQUIRE(aside.size() == 3u);
  BOOST_TEST(aside[0].object_id == last);
  BOOST_TEST(aside[0].reason == "claim 1: a service line is charged below zero");
  BOOST_TEST(aside[2].reason == "claim 3: it is charged below zero and is no reversal");
  const auto reported = tasks("learning_set_aside");
  BOOST_REQUIRE(reported.size() == 1u);
  BOOST_TEST(reported.front().object_id == last);
  BOOST_TEST(reported.front().note.find("claim 1: a service line is charged below zero") != std::string::npos);
  BOOST_TEST(decisions_of(reported.front()) == std::vector<std::string>{"resolved"}, boost::test_tools::per_element());

  const auto late = started();
  follow(*late);
  BOOST_TEST(late->set_aside() == 3);
  BOOST_TEST(digest(*late) == digest(learner));
  usecases::Learner of_a_command(*store, digests);  // writes nothing and skips the same entries
  follow(of_a_command);
  BOOST_TEST(digest(of_a_command) == digest(learner));
  BOOST_TEST(tasks("learning_set_aside").size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_entry_that_cannot_be_applied_is_set_aside_on_every_node) {
  for (const char* name : {"A", "B", "C"}) review(draft(name));
  post({answer("A", 70'000)}, "T1");
  post({answer("B", 60'000)}, "T2");
  post({answer("C", 50'000)}, "T3");
  learn();  // this node applies all of them
  BOOST_TEST(learner.model(caller.tenant)->state().answered_claims() == 3);
  const auto other = started(Failing{60'000});
  follow(*other);
  BOOST_TEST(other->set_aside() == 1);
  BOOST_TEST(other->model(caller.tenant)->state().answered_claims() == 2);
  BOOST_REQUIRE(set_aside().size() == 1u);
  BOOST_TEST(set_aside().front().reason == "it cannot be applied: no state takes this");
  BOOST_TEST(tasks("learning_set_aside").size() == 1u);

  follow(learner);  // rebuilds its model without the entry
  BOOST_TEST(learner.model(caller.tenant)->state().answered_claims() == 2);
  BOOST_TEST(digest(learner) == digest(*other));
  BOOST_TEST(learner.model(caller.tenant)->name() == other->model(caller.tenant)->name());
  usecases::ReadQuality read_quality(*store, digests, learner);
  const auto quality =
      read_quality(caller.tenant, {std::nullopt, clock.now().utc_date()}, [](std::int64_t) { return true; });
  BOOST_REQUIRE_MESSAGE(quality, why(quality));
  BOOST_TEST(quality->grades.denial.claims() == 2);
  const auto followed = try_follow(learner);
  BOOST_REQUIRE(followed);
  BOOST_TEST(followed->batches == 0);  // once
}

BOOST_AUTO_TEST_CASE(a_lack_of_memory_is_retried_and_changes_nothing) {
  for (const char* name : {"A", "B"}) review(draft(name));
  post({answer("A", 70'000)}, "T1");
  file();
  const auto node = started(Failing{70'000, true, 2});
  BOOST_TEST(!try_follow(*node));
  BOOST_TEST(node->seq_of(caller.tenant) == 0);
  BOOST_TEST(!try_follow(*node));
  BOOST_TEST(set_aside().empty());
  follow(*node);
  follow(learner);
  BOOST_TEST(digest(*node) == digest(learner));
  post({answer("B", 60'000)}, "T2");
  learn();
  follow(*node);
  BOOST_TEST(digest(*node) == digest(learner));
}

BOOST_AUTO_TEST_CASE(an_entry_that_never_fits_in_memory_is_set_aside) {
  for (const char* name : {"A", "B"}) review(draft(name));
  post({answer("A", 70'000), answer("B", 60'000)}, "T1");
  file();
  const auto node = started(Failing{70'000, true});
  for (int i = 0; i < 2; ++i) BOOST_TEST(!try_follow(*node));
  follow(*node);
  BOOST_TEST(node->model(caller.tenant)->state().answered_claims() == 1);
  BOOST_TEST(set_aside().size() == 1u);
  follow(learner);
  BOOST_TEST(digest(*node) == digest(learner));
}

BOOST_AUTO_TEST_CASE(a_failing_record_of_one_tenant_delays_no_other) {
  const domain::Tenant second{ids.next<domain::TenantId>(), "second", domain::ValidationProfile::lenient,
                              domain::PostOn::deposit};
  BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
    records.clients().insert_tenant(second, clock.now());
    return {};
  })));
  review(draft("A"));
  post({answer("A", 70'000)}, "T1");
  const auto first = caller;
  caller.tenant = second.id;
  review(draft("B"));
  post({answer("B", 60'000)}, "T2");
  file();
  const auto node = started(Failing{70'000, true});
  BOOST_TEST(!try_follow(*node));
  BOOST_TEST(node->model(second.id)->state().answered_claims() == 1);
  caller = first;
  BOOST_TEST(node->seq_of(caller.tenant) == 0);
}

namespace {

/// Everything that the readers take, and more: amounts of any sign and size, every CLP02, lines with and without
/// allowed amounts and adjustments.
class Sender {
 public:
  explicit Sender(std::uint64_t seed) : random_(seed) {}

  std::size_t pick(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_); }
  bool chance(std::size_t percent) { return pick(100) < percent; }

  domain::ClaimDraft claim(domain::ClaimDraft draft) {
    const std::size_t lines = pick(4);
    for (std::size_t i = 0; i < lines; ++i)
      draft.service_lines.push_back({kCodes[pick(kCodes.size())], "",
                                     chance(70) ? 1000 : static_cast<std::int64_t>(1 + pick(9'999'999)),
                                     Money::cents(100'000 / static_cast<std::int64_t>(lines))});
    return draft;
  }
  /// Of a payment: mostly today, else any that a reader takes.
  std::optional<domain::Date> day() {
    if (chance(80)) return std::nullopt;
    return chance(50) ? domain::Date::from_ymd(chance(50) ? 1900 : 2199, 12, 31)
                      : std::optional(domain::Date::from_days(static_cast<std::int32_t>(19'000 + pick(3'000))));
  }
  domain::RemittanceClaim answer(const std::string& name) {
    domain::RemittanceClaim claim;
    claim.claim_identifier = name;
    claim.status = kStatuses[pick(kStatuses.size())];
    const bool is_ordinary = chance(50);  // of a charge that leads to the claim
    claim.charge_amount = is_ordinary ? Money::cents(chance(80) ? 100'000 : -100'000) : amount();
    claim.paid_amount = amount();
    if (chance(30)) claim.patient_responsibility = amount();
    if (chance(40)) claim.date_of_service = domain::Date::from_days(static_cast<std::int32_t>(pick(60'000)));
    adjust(claim.adjustments);
    for (std::size_t i = 0, lines = pick(4); i < lines; ++i) claim.lines.push_back(line());
    return claim;
  }

 private:
  domain::RemittanceLine line() {
    domain::RemittanceLine line;
    line.cpt = chance(90) ? kCodes[pick(kCodes.size())] : "";
    line.units = kUnits[pick(kUnits.size())];
    line.charge_amount = amount();
    line.paid_amount = amount();
    if (chance(50)) line.allowed_amount = amount();
    adjust(line.adjustments);
    return line;
  }
  void adjust(std::vector<domain::Adjustment>& adjustments) {
    for (std::size_t i = 0, count = pick(3); i < count; ++i)
      adjustments.push_back({kGroups[pick(kGroups.size())], kCarcs[pick(kCarcs.size())], amount()});
  }
  Money amount() {
    const std::int64_t cents = std::array<std::int64_t, 8>{
        0, 1, 100, 33'333, 70'000, 80'000, 100'000, domain::kLargestAmount.cents()}[pick(8)];
    return Money::cents(chance(35) ? -cents : cents);
  }

  static inline const std::vector<std::string> kStatuses{"1",  "1",  "1",  "2",  "3",  "4",  "4", "19",
                                                         "20", "21", "22", "22", "23", "25", "5", "10",
                                                         "13", "15", "16", "17", "27", ""};
  static inline const std::vector<std::string> kCodes{"99213", "93000", "97110", "00010"};
  static inline const std::vector<std::string> kGroups{"CO", "PR", "OA", "PI"};
  static inline const std::vector<std::string> kCarcs{"45", "29", "1", "2", "97", "253", "B7", "", "999"};
  static inline const std::vector<std::string> kUnits{"1", "", "0", "-1", "0.001", "999999999", "1.5", "x"};
  std::mt19937_64 random_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(every_accepted_answer_is_learned_equally_and_stops_no_node) {
  constexpr std::uint64_t kSeed = 20'261'125;
  constexpr int kRounds = 25;
  const char* given = std::getenv("TIDEOVER_SEED");
  const std::uint64_t seed = given ? std::strtoull(given, nullptr, 10) : kSeed;
  BOOST_TEST_CONTEXT("TIDEOVER_SEED=" << seed) {
    Sender sender(seed);
    std::vector<std::string> known;
    for (int round = 0; round < kRounds; ++round) {
      for (int i = 0; i < 4; ++i) {
        known.push_back("C" + std::to_string(known.size()));
        const auto reviewed = review(sender.claim(draft(known.back())));
        if (i == 0) BOOST_REQUIRE(bool(try_confirm(adjudicate(reviewed).id)));
      }
      for (int i = 0; i < 12; ++i) {
        std::vector<domain::RemittanceClaim> claims;
        for (std::size_t count = 1 + sender.pick(2); claims.size() < count;)
          claims.push_back(
              sender.answer(known[known.size() - 1 - sender.pick(std::min<std::size_t>(known.size(), 12))]));
        const std::string trace = "T" + std::to_string(round) + '-' + std::to_string(i);
        post(claims, trace, sender.day());
        Money announced;
        for (const auto& claim : claims) announced += claim.paid_amount;
        if (announced > Money{} && sender.chance(70)) arrives(Cash{"D" + trace, announced.cents(), trace});
      }
      sender.chance(30) ? clock.advance_days(static_cast<int>(1 + sender.pick(40))) : clock.advance_s(3600);
      learn();
      const auto restarted = started();
      follow(*restarted);
      BOOST_REQUIRE(digest(*restarted) == digest(learner));
      BOOST_REQUIRE(restarted->skipped() == 0);
      BOOST_REQUIRE(restarted->diverged() == 0);
      const auto again = review(sender.claim(draft("ASK-" + std::to_string(round)))).forecast;
      BOOST_REQUIRE((again.allowed >= Money{} && again.allowed <= Money::cents(100'000)));
      BOOST_REQUIRE((again.expected >= Money{} && again.expected <= again.allowed));
      BOOST_REQUIRE((again.denial_probability_bps >= 0 && again.denial_probability_bps <= domain::kOneInBps));
    }
    BOOST_TEST(learner.model(caller.tenant)->state().answered_claims() > 0);
    BOOST_TEST(learner.set_aside() > 0);
    BOOST_TEST(static_cast<std::int64_t>(set_aside().size()) == learner.set_aside());
  }
}

BOOST_AUTO_TEST_SUITE_END()
