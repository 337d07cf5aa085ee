// Residuals after the rail returned the advance: the provider is owed the payer's payment without the advance.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/usecases/funding/payout_world.hpp"

using namespace tideover;
using tests::cents;
using tests::PayoutWorld;
using tests::task_body;
using Kind = ports::RailOutcome::Kind;

BOOST_FIXTURE_TEST_SUITE(payouts, PayoutWorld)

BOOST_AUTO_TEST_CASE(the_whole_payment_is_credited_to_the_provider_when_the_advance_is_returned) {
  for (const auto& [amount, ends_as] : std::vector<std::pair<std::int64_t, std::string>>{
           {79'000, "A settled"}, {60'000, "A settled"}, {95'000, "A settled_over"}}) {
    PayoutWorld world;
    world.same_day.expected_settlement = world.clock.now().plus_ms(4 * 3'600'000);
    const auto id = world.paid("A", amount);
    BOOST_TEST(world.due(id) == cents(std::max<std::int64_t>(amount - 65'280, 0)));
    world.same_day.now_stands(world.same_day.only_key(), Kind::returned, "R02");
    world.clock.advance_s(4 * 3600);
    BOOST_REQUIRE(bool(world.follow_up_payments()));
    BOOST_TEST(world.ends() == "D-A matched; " + ends_as + " by funding_returned");
    BOOST_TEST(world.holdings() == "provider_payable " + format_money(cents(-amount)));
    BOOST_TEST(world.balance("funding_cash") == domain::Money{});
    BOOST_TEST(world.due(id) == cents(amount));
    const auto whole = world.reconciliation(id);
    BOOST_TEST(whole.advance_recovered == domain::Money{});
    BOOST_TEST(whole.fee_collected == domain::Money{});
    BOOST_TEST(whole.shortfall_absorbed == domain::Money{});
    world.verify();
    BOOST_TEST(world.claim_all() == 1);
    world.resolve();
    BOOST_TEST(world.due(id) == domain::Money{});
    BOOST_TEST(world.owed() == domain::Money{});
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_part_accepted_as_missing_is_not_credited_to_the_provider_when_the_advance_is_returned) {
  same_day.expected_settlement = clock.now().plus_ms(4 * 3'600'000);
  fund({"A"});
  const auto first = same_day.only_key();
  fund({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}, {"B", 79'000}}});
  arrives(tests::Cash{"D1", 108'000, "T1"});
  const auto task = task_of(domain::kDepositUnmatched);
  BOOST_REQUIRE(bool(decide_task(context("decide"), task,
                                 {"accept_short", "the payer says no more", remittances.at("N1").text()}, task_body)));
  // 500.00 are missing: both residuals of 137.20 bear it, then 225.60 of the payment of A.
  BOOST_TEST(balance("loss_on_receivable") == cents(64'000 - 42'720));
  same_day.now_stands(first, Kind::returned, "R02");
  clock.advance_s(4 * 3600);
  BOOST_REQUIRE(bool(follow_up_payments()));
  BOOST_TEST(balance("loss_on_receivable") == domain::Money{});
  BOOST_TEST(due(settlements.at("A")) == cents(42'720));
  BOOST_TEST(due(settlements.at("B")) == domain::Money{});
  BOOST_TEST(owed() == cents(42'720));
  BOOST_TEST(balance("suspense_unmatched") == domain::Money{});
  same_day.now_stands(attempt(settlements.at("B")).rail_key, Kind::returned, "R02");
  clock.advance_s(4 * 3600);
  BOOST_REQUIRE(bool(follow_up_payments()));
  BOOST_TEST(owed() == cents(42'720 + 65'280));  // the whole deposit
  BOOST_TEST(balance("loss_on_receivable") == domain::Money{});
}

BOOST_AUTO_TEST_CASE(nothing_is_owed_for_a_denied_claim_whose_advance_is_returned) {
  same_day.expected_settlement = clock.now().plus_ms(4 * 3'600'000);
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 0, 100'000, std::nullopt, "4"}}});
  BOOST_TEST(holdings() == "loss_on_receivable 640.00");
  same_day.now_stands(same_day.only_key(), Kind::returned, "R02");
  clock.advance_s(4 * 3600);
  BOOST_REQUIRE(bool(follow_up_payments()));
  BOOST_TEST(holdings() == "");
  BOOST_TEST(ends() == "A denied by funding_returned");
}

BOOST_AUTO_TEST_CASE(the_rest_is_owed_if_an_advance_is_returned_after_its_payout) {
  same_day.expected_settlement = clock.now().plus_ms(4 * 3'600'000);
  const auto id = paid();
  const auto key = same_day.only_key();
  BOOST_TEST(claim_all() == 1);
  resolve();
  BOOST_TEST(owed() == domain::Money{});
  same_day.now_stands(key, Kind::returned, "R02");
  clock.advance_s(4 * 3600);
  BOOST_REQUIRE(bool(follow_up_payments()));
  BOOST_TEST(due(id) == cents(65'280));
  BOOST_TEST(owed() == cents(65'280));
  BOOST_TEST(claim_all() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
