// The fee by the days from the funding until the principal is recovered: 2 % of 640.00 at first, 3 % from day 31, 4.5 %
// from day 61.
#include "tests/usecases/allocation/recourse_world.hpp"

using namespace tideover;
using domain::Money;
using tests::Cash;
using tests::Remittance;

namespace {

struct FeeWorld : tests::RecourseWorld {
  FeeWorld() { rules.recourse.fee_tiers = {{31, 300}, {61, 450}}; }
  std::string fee() { return format_money(reconciliation(settlements.at("A")).fee_collected); }
  std::string residual() { return format_money(reconciliation(settlements.at("A")).residual_released); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(fee_by_days, FeeWorld)

BOOST_AUTO_TEST_CASE(the_offer_states_the_fee_of_each_tier) {
  const auto offered = adjudicate(review(draft("A"))).terms;
  BOOST_REQUIRE(offered.fee_steps.size() == 3u);
  BOOST_TEST((offered.fee_steps[0] == domain::FeeStep{0, Money::cents(1'280)}));
  BOOST_TEST((offered.fee_steps[1] == domain::FeeStep{31, Money::cents(1'920)}));
  BOOST_TEST((offered.fee_steps[2] == domain::FeeStep{61, Money::cents(2'880)}));
  BOOST_TEST(largest_fee(offered).cents() == 2'880);
}

BOOST_AUTO_TEST_CASE(the_fee_follows_the_day_of_the_payment) {
  const std::pair<int, const char*> days_and_fees[] = {{0, "12.80"},  {30, "12.80"}, {31, "19.20"},
                                                       {60, "19.20"}, {61, "28.80"}, {170, "28.80"}};
  for (const auto& [days, expected] : days_and_fees) {
    FeeWorld world;
    world.fund({"A"});
    world.rules.recourse.fee_tiers = {{1, 1'000}};  // the accepted terms keep theirs
    world.clock.advance_days(days);
    world.pays("A", 79'000, "1");
    BOOST_TEST(world.fee() == expected);
    BOOST_TEST(world.residual() ==
               format_money(Money::cents(79'000 - 64'000) - *domain::parse_money(std::string(expected))));
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(the_day_that_recovers_the_principal_fixes_it) {
  fund({"A"});
  clock.advance_days(10);
  arrives(Cash{"D1", 64'000, "T1"});
  arrives(Remittance{"N1", "T1", {{"A", 64'000, 50'000}}});
  clock.advance_days(60);
  arrives(Cash{"D2", 15'000, "T2"});
  arrives(Remittance{"N2", "T2", {{"A", 15'000, 50'000}}});
  BOOST_TEST(fee() == "12.80");
  BOOST_TEST(residual() == "137.20");
}

BOOST_AUTO_TEST_CASE(a_cent_of_principal_that_is_missing_keeps_it_open) {
  fund({"A"});
  clock.advance_days(10);
  arrives(Cash{"D1", 63'999, "T1"});
  arrives(Remittance{"N1", "T1", {{"A", 63'999, 50'000}}});
  clock.advance_days(60);
  arrives(Cash{"D2", 15'001, "T2"});
  arrives(Remittance{"N2", "T2", {{"A", 15'001, 50'000}}});
  BOOST_TEST(fee() == "28.80");
  BOOST_TEST(residual() == "121.20");
}

BOOST_AUTO_TEST_CASE(money_that_waits_for_its_remittance_makes_no_fee) {
  fund({"A"});
  clock.advance_days(10);
  arrives(Cash{"D1", 79'000, "T1"});
  clock.advance_days(60);
  arrives(Remittance{"N1", "T1", {{"A", 79'000}}, -60});
  BOOST_TEST(fee() == "12.80");
}

BOOST_AUTO_TEST_CASE(after_a_takeback_the_next_recovery_counts) {
  fund({"A"});
  pays("A", 79'000, "1");
  takes_back("A", 5'000, "2");
  BOOST_TEST(fee() == "12.80");
  clock.advance_days(40);
  takes_back("A", 74'000, "3");
  BOOST_TEST(fee() == "0.00");
  pays("A", 79'000, "4");
  BOOST_TEST(fee() == "19.20");
  BOOST_TEST(residual() == "130.80");
}

BOOST_AUTO_TEST_CASE(an_undo_and_the_same_payment_again_end_alike) {
  fund({"A"});
  clock.advance_days(40);
  pays("A", 79'000, "1");
  const auto before = books();
  clock.advance_days(30);
  must_return("D1");
  BOOST_TEST(fee() == "0.00");
  arrives(Cash{"D2", 79'000, "T1", -29});  // the money comes again, a day later
  BOOST_TEST(fee() == "19.20");
  BOOST_TEST(holdings() == "fee_income -19.20; provider_payable -130.80");
  BOOST_TEST((books() == before));
}

BOOST_AUTO_TEST_CASE(an_unpaid_fee_is_no_loss_beyond_the_terms) {
  fund({"A"});
  clock.advance_days(100);
  pays("A", 60'000, "1");
  const auto whole = reconciliation(settlements.at("A"));
  BOOST_TEST(whole.shortfall_absorbed.cents() == 4'000 + 2'880);
  BOOST_TEST(holdings() == "loss_on_receivable 40.00");
}

BOOST_AUTO_TEST_SUITE_END()
