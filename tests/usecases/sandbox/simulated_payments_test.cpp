// Payments of payers that the sandbox makes: the cents of a charge, repeats on other days, and failures between the
// remittance, its deposit and the takeback (core/docs/sandbox_clock.md#simulations).
#include "core/usecases/sandbox/simulate_payments.hpp"

#include "tests/usecases/world.hpp"

using namespace tideover;
using domain::FinalStatus;
using domain::PaymentOutcome;
using tests::refusal_of;
using tests::why;

namespace {

struct SimulatedWorld : tests::World {
  explicit SimulatedWorld(domain::PostOn post_on = domain::PostOn::deposit) : World(post_on) {}

  usecases::SimulatePayments simulate{*store, *post_remittance, *post_deposit, clock};

  domain::Result<int> try_send() {
    return simulate.send_due([] { return false; });
  }
  int sent() {
    const auto done = try_send();
    BOOST_REQUIRE_MESSAGE(done, "sending failed: " << why(done));
    return *done;
  }
  /// Funds a claim, and moves the clock of the tenant to the day on which the payment is expected.
  domain::Settlement expected_today(const std::string& identifier, std::int64_t cents) {
    auto settlement = funded(identifier, cents);
    shift_clock_days(days_between(clock.now().utc_date(), settlement.expected_payment_date));
    return settlement;
  }
  FinalStatus status(const domain::Settlement& settlement) { return reconciliation(settlement.id).status; }

  /// A request by the time of the tenant.
  usecases::RequestContext request() {
    const ports::InTimeOf in_time(clock, caller.tenant);
    return context("simulate");
  }
  bool remittance(const domain::Settlement& settlement, PaymentOutcome outcome) {
    bool seen_before = false;
    const auto done = simulate.remittance(request(), {settlement.id.text(), outcome},
                                          [&](const std::vector<usecases::PostedRemittance>& posted) {
                                            seen_before = posted.front().seen_before;
                                            return std::string();
                                          });
    BOOST_REQUIRE_MESSAGE(done, "the remittance was refused: " << why(done));
    return seen_before;
  }
  bool deposit(const domain::Settlement& settlement, PaymentOutcome outcome) {
    const auto done = simulate.deposit(request(), {settlement.id.text(), outcome},
                                       [](const usecases::PostedDeposit&) { return std::string(); });
    BOOST_REQUIRE_MESSAGE(done, "the deposit was refused: " << why(done));
    return done->replayed;
  }
  std::size_t remittances() {
    return seen([&](const ports::Records& records) {
             return records.remittances().list(caller.tenant, {}, {"", 100});
           })
        .size();
  }
  std::size_t deposits() {
    return seen([&](const ports::Records& records) {
             return records.deposits().list(caller.tenant, {}, {"", 100});
           })
        .size();
  }
};

struct WithoutBankFeed : SimulatedWorld {
  WithoutBankFeed() : SimulatedWorld(domain::PostOn::remittance) {}
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(simulated_payments, SimulatedWorld)

BOOST_AUTO_TEST_CASE(a_payment_is_sent_once_when_it_is_expected) {
  const auto settlement = funded("CLM-1", 100'001);
  BOOST_TEST(sent() == 0);
  expected_today("CLM-2", 100'000);  // selects nothing
  BOOST_TEST(sent() == 1);
  BOOST_TEST(status(settlement) == FinalStatus::settled);
  BOOST_TEST(sent() == 0);
  BOOST_TEST(remittances() == 1u);
  BOOST_TEST(deposits() == 1u);
}

BOOST_AUTO_TEST_CASE(a_deposit_that_failed_follows_its_remittance_later) {
  const auto settlement = expected_today("CLM-1", 100'001);
  store->die_after(1);  // the remittance is stored
  BOOST_TEST(!try_send());
  store->revive();
  BOOST_TEST(remittances() == 1u);
  BOOST_TEST(deposits() == 0u);
  shift_clock_days(90);
  BOOST_TEST(sent() == 1);
  BOOST_TEST(status(settlement) == FinalStatus::settled);
  BOOST_TEST(sent() == 0);
}

BOOST_AUTO_TEST_CASE(a_takeback_that_failed_follows_the_payment_later) {
  const auto settlement = expected_today("CLM-1", 100'005);
  store->die_after(2);  // remittance and deposit are stored
  BOOST_TEST(!try_send());
  store->revive();
  BOOST_TEST(status(settlement) == FinalStatus::settled);
  shift_clock_days(90);
  BOOST_TEST(sent() == 1);
  BOOST_TEST(status(settlement) == FinalStatus::reversed);
  BOOST_TEST(sent() == 0);
}

BOOST_AUTO_TEST_CASE(a_payment_is_taken_back_in_the_same_round) {
  const auto settlement = expected_today("CLM-1", 100'005);
  BOOST_TEST(sent() == 2);
  BOOST_TEST(status(settlement) == FinalStatus::reversed);
  BOOST_TEST(sent() == 0);
}

BOOST_AUTO_TEST_CASE(a_payment_by_request_is_taken_back_only_where_the_cents_select_it) {
  const auto plain = funded("CLM-1", 100'000), selected = funded("CLM-2", 100'005);
  for (const auto& settlement : {plain, selected}) {
    remittance(settlement, PaymentOutcome::paid);
    deposit(settlement, PaymentOutcome::paid);
  }
  BOOST_TEST(sent() == 0);  // not before the expected day
  shift_clock_days(days_between(clock.now().utc_date(), selected.expected_payment_date));
  BOOST_TEST(sent() == 1);
  BOOST_TEST(status(plain) == FinalStatus::settled);
  BOOST_TEST(status(selected) == FinalStatus::reversed);
}

BOOST_AUTO_TEST_CASE(a_collision_with_another_transaction_is_tried_again) {
  const auto settlement = expected_today("CLM-1", 100'001);
  store->collide_at_commit(1);
  BOOST_TEST(sent() == 1);  // the remittance collided
  const auto other = expected_today("CLM-2", 100'001);
  store->collide_at_commit(2);
  BOOST_TEST(sent() == 1);  // the deposit did
  BOOST_TEST(status(settlement) == FinalStatus::settled);
  BOOST_TEST(status(other) == FinalStatus::settled);
}

BOOST_AUTO_TEST_CASE(a_repeat_on_another_day_changes_nothing) {
  const auto settlement = funded("CLM-1");
  BOOST_TEST(!remittance(settlement, PaymentOutcome::paid));
  BOOST_TEST(!deposit(settlement, PaymentOutcome::paid));
  const auto before = books();
  shift_clock_days(7);
  BOOST_TEST(remittance(settlement, PaymentOutcome::paid));
  BOOST_TEST(deposit(settlement, PaymentOutcome::paid));
  BOOST_TEST((books() == before));
  BOOST_TEST(remittances() == 1u);
  BOOST_TEST(deposits() == 1u);
  BOOST_TEST(tasks().empty());
}

BOOST_AUTO_TEST_CASE(halves_that_come_on_different_days_match) {
  const auto first = funded("CLM-1"), second = funded("CLM-2");
  remittance(first, PaymentOutcome::paid);
  deposit(second, PaymentOutcome::paid);
  shift_clock_days(40);
  deposit(first, PaymentOutcome::paid);
  remittance(second, PaymentOutcome::paid);
  for (const auto& settlement : {first, second}) BOOST_TEST(status(settlement) == FinalStatus::settled);
  BOOST_TEST(tasks().empty());
  BOOST_TEST(remittance(first, PaymentOutcome::paid));
  BOOST_TEST(deposit(second, PaymentOutcome::paid));
}

BOOST_FIXTURE_TEST_CASE(a_tenant_without_a_bank_feed_gets_no_second_deposit, WithoutBankFeed) {
  const auto settlement = expected_today("CLM-1", 100'001);
  BOOST_TEST(sent() == 1);
  BOOST_TEST(status(settlement) == FinalStatus::settled);
  BOOST_TEST(deposits() == 1u);
  BOOST_TEST(tasks().empty());
  BOOST_TEST(sent() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
