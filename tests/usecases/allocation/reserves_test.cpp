// The reserve of a practice: parts of residuals and overpayments that are held, used and released; days of holding.
#include "tests/usecases/allocation/recourse_world.hpp"

using namespace tideover;
using domain::Money;
using domain::RecourseEvent;
using tests::refusal_of;
using Bearer = tests::RecourseWorld::Bearer;

namespace {

struct ReserveWorld : tests::RecourseWorld {
  ReserveWorld() {
    rules.recourse.reserve_bps = 1'000;
    rules.recourse.reserve_days = 30;
  }
  /// The payment of A leaves a reserve; the short payment of B takes all of it.
  void use_the_reserve_of_a_for_b() {
    rules.bears = [](const domain::RecourseFacts& facts) {
      domain::RecourseProposal proposal;
      proposal.split.reserve = std::min(facts.reserve, facts.amount);
      proposal.split.funder = facts.amount - proposal.split.reserve;
      return facts.event == RecourseEvent::short_payment ? std::optional(proposal) : std::nullopt;
    };
    fund({"A"});
    fund({"B"});
    pays("A", 79'000, "1");
    pays("B", 60'000, "2");
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(practice_reserves, ReserveWorld)

BOOST_AUTO_TEST_CASE(a_share_of_a_residual_is_held_and_released_after_its_days) {
  fund({"A"});
  pays("A", 79'000, "1");
  BOOST_TEST(holdings() == "fee_income -12.80; practice_reserve -13.72; provider_payable -123.48");
  BOOST_TEST(due("A") == "123.48 due, 13.72 held");
  clock.advance_days(29);
  BOOST_TEST(release() == 0);
  clock.advance_days(1);
  BOOST_TEST(release() == 1);
  BOOST_TEST(release() == 0);
  BOOST_TEST(holdings() == "fee_income -12.80; provider_payable -137.20");
  BOOST_TEST(due("A") == "137.20 due, 0.00 held");
}

BOOST_AUTO_TEST_CASE(a_reserve_is_released_by_the_time_of_its_tenant) {
  fund({"A"});
  pays("A", 79'000, "1");
  shift_clock_days(29);
  BOOST_TEST(release() == 0);
  shift_clock_days(30);
  BOOST_TEST(release() == 1);
}

BOOST_AUTO_TEST_CASE(a_payout_leaves_what_is_held) {
  fund({"A"});
  pays("A", 79'000, "1");
  BOOST_REQUIRE(bool(pay_out("A")));
  BOOST_TEST(due("A") == "0.00 due, 13.72 held");
  BOOST_TEST(holdings() == "fee_income -12.80; practice_reserve -13.72");
}

BOOST_AUTO_TEST_CASE(a_reserve_bears_a_short_payment_and_what_it_paid_is_not_released) {
  use_the_reserve_of_a_for_b();
  BOOST_TEST(holdings() == "fee_income -12.80; loss_on_receivable 26.28; provider_payable -123.48");
  clock.advance_days(31);
  BOOST_TEST(release() == 1);
  BOOST_TEST(due("A") == "123.48 due, 13.72 held");
  // The payer pays the rest of B after all: the reserve gets its part back.
  pays("B", 4'000, "3");
  BOOST_TEST(holdings() == "fee_income -12.80; practice_reserve -13.72; provider_payable -123.48");
  BOOST_TEST(release() == 1);
  BOOST_TEST(holdings() == "fee_income -12.80; provider_payable -137.20");
  BOOST_TEST(due("A") == "137.20 due, 0.00 held");
  BOOST_TEST(release() == 0);
}

BOOST_AUTO_TEST_CASE(an_undo_charges_the_practice_with_what_others_took_from_the_reserve) {
  use_the_reserve_of_a_for_b();
  must_return("D1");
  BOOST_TEST(balance(domain::account::practice_reserve(caller.tenant)).is_zero());
  BOOST_TEST(balance(domain::account::provider_payable(caller.tenant)).cents() == 1'372);
}

BOOST_AUTO_TEST_CASE(a_takeback_of_the_whole_residual_takes_its_held_part) {
  fund({"A"});
  pays("A", 79'000, "1");
  BOOST_REQUIRE(bool(pay_out("A")));
  takes_back("A", 1'000, "2");
  BOOST_TEST(due("A") == "-10.00 due, 13.72 held");
  takes_back("A", 12'720, "3");
  // Nothing of the residual is left: what was held pays a part, the practice owes the rest.
  BOOST_TEST(due("A") == "-123.48 due, 0.00 held");
  BOOST_TEST(balance(domain::account::practice_reserve(caller.tenant)).is_zero());
  BOOST_TEST(balance(domain::account::provider_payable(caller.tenant)).cents() == 12'348);
  BOOST_TEST(tasks("payout_taken_back").size() == 1u);
  clock.advance_days(31);
  BOOST_TEST(release() == 1);
  BOOST_TEST(balance(domain::account::practice_reserve(caller.tenant)).is_zero());
}

BOOST_AUTO_TEST_CASE(a_reserve_bears_a_takeback_of_a_residual_that_was_paid_out) {
  bears(RecourseEvent::takeback, Bearer::reserve);
  fund({"A"});
  pays("A", 79'000, "1");
  BOOST_REQUIRE(bool(pay_out("A")));
  takes_back("A", 1'000, "2");
  BOOST_TEST(due("A") == "0.00 due, 13.72 held");
  BOOST_TEST(holdings() == "carried_balances -10.00; fee_income -12.80; practice_reserve -3.72");
  BOOST_TEST(tasks("payout_taken_back").empty());
  clock.advance_days(31);
  BOOST_TEST(release() == 1);
  BOOST_TEST(due("A") == "3.72 due, 10.00 held");
  // The payer pays it again: the reserve gets it back.
  pays("A", 1'000, "3");
  BOOST_TEST(due("A") == "3.72 due, 10.00 held");
  BOOST_TEST(holdings() ==
             "carried_balances -10.00; fee_income -12.80; practice_reserve -10.00; provider_payable -3.72");
  BOOST_TEST(release() == 1);
  BOOST_TEST(due("A") == "13.72 due, 0.00 held");
}

BOOST_AUTO_TEST_CASE(an_undone_payment_takes_its_held_part_along) {
  fund({"A"});
  const auto before = books();
  pays("A", 79'000, "1");
  must_return("D1");
  BOOST_TEST((books() == before));
  BOOST_TEST(due("A") == "0.00 due, 0.00 held");
  BOOST_TEST(tasks("payout_taken_back").empty());
  clock.advance_days(31);
  BOOST_TEST(release() == 0);
}

BOOST_AUTO_TEST_CASE(an_overpayment_goes_to_the_reserve) {
  rules.recourse.reserve_bps = 0;
  bears(RecourseEvent::overpayment, Bearer::reserve);
  fund({"A"});
  arrives(tests::Cash{"D1", 110'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 110'000}}});
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(decide(task, domain::kAcceptOver, proposals(task).front().id)));
  BOOST_TEST(holdings() == "fee_income -12.80; practice_reserve -100.00; provider_payable -347.20");
  BOOST_TEST(due("A") == "347.20 due, 100.00 held");
  clock.advance_days(30);
  BOOST_TEST(release() == 1);
  BOOST_TEST(due("A") == "447.20 due, 0.00 held");
}

BOOST_AUTO_TEST_CASE(terms_hold_a_residual_for_some_days) {
  rules.recourse = {};
  rules.recourse.hold_days = 7;
  fund({"A"});
  pays("A", 79'000, "1");
  rules.recourse.hold_days = 0;  // the terms keep theirs
  clock.advance_days(6);
  const auto refused = pay_out("A");
  BOOST_TEST(refusal_of(refused) == domain::ErrorCode::invalid_state);
  clock.advance_days(1);
  BOOST_TEST(bool(pay_out("A")));
}

BOOST_AUTO_TEST_SUITE_END()
