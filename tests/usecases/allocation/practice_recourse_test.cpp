// The recourse policy and payouts to practices: a payout leaves the reserve and nets the losses of the practice.
#include "core/usecases/payouts/pay_practices.hpp"
#include "core/usecases/payouts/payees.hpp"
#include "core/usecases/payouts/read_advice.hpp"
#include "tests/usecases/allocation/recourse_world.hpp"

using namespace tideover;
using domain::Money;
using domain::RecourseEvent;
using tests::refusal_of;
using tests::why;
using Bearer = tests::RecourseWorld::Bearer;

namespace {

constexpr const char* kPractice = "1234567893";

struct PracticeRecourseWorld : tests::RecourseWorld {
  PracticeRecourseWorld() {
    BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
      records.clients().set_payout_account(caller.tenant, domain::Sensitive(std::string("tok_tenant")));
      return {};
    })));
  }
  usecases::PayPractice pay_practice{*store, *disburse, ids, true};
  usecases::Payees payees{*store, rails, ids, "SAME_DAY"};

  domain::Result<usecases::StoredResponse> pay_practice_now() {
    return pay_practice(
        context("pay practice"), kPractice, [](const auto& payout) { return format_money(payout.amount); },
        [](const auto&) { return ""; });
  }
  /// "137.20": paid; otherwise the refusal.
  std::string paid() {
    const auto done = pay_practice_now();
    return done ? done->body : std::string(name_of(refusal_of(done)));
  }
  /// The lines of the advice of the last payout.
  std::string advice() {
    const auto made = payees.payouts(caller.tenant, kPractice, {"", 1, domain::ListOrder::newest_first});
    BOOST_REQUIRE(bool(made) && !made->empty());
    std::vector<std::string> lines;
    const auto visited =
        usecases::ReadAdvice(*store).lines(caller.tenant, made->front(), [&](const domain::AdviceLine& line) {
          lines.push_back(std::string(name_of(line.kind)) + ' ' + format_money(line.amount()));
        });
    BOOST_REQUIRE_MESSAGE(visited, why(visited));
    return joined(lines);
  }
  std::string owed() {
    const auto view = payees.find(caller.tenant, kPractice);
    BOOST_REQUIRE_MESSAGE(view, why(view));
    return format_money(view->due) + " due, " + format_money(view->reserve) + " reserve";
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(practice_recourse, PracticeRecourseWorld)

BOOST_AUTO_TEST_CASE(a_payout_leaves_the_reserve_and_pays_it_when_it_is_released) {
  rules.recourse.reserve_bps = 1'000;
  rules.recourse.reserve_days = 30;
  fund({"A"});
  pays("A", 79'000, "1");
  BOOST_TEST(owed() == "123.48 due, 13.72 reserve");
  BOOST_TEST(paid() == "123.48");
  BOOST_TEST(due("A") == "0.00 due, 13.72 held");
  clock.advance_days(30);
  BOOST_TEST(release() == 1);
  BOOST_TEST(owed() == "13.72 due, 0.00 reserve");
  BOOST_TEST(due("A") == "13.72 due, 0.00 held");
  BOOST_TEST(paid() == "13.72");
  BOOST_TEST(due("A") == "0.00 due, 0.00 held");
  BOOST_TEST(advice() == "recourse 13.72");
}

BOOST_AUTO_TEST_CASE(a_payout_leaves_what_the_terms_hold) {
  rules.recourse.hold_days = 7;
  fund({"A"});
  pays("A", 79'000, "1");
  rules.recourse.hold_days = 0;
  fund({"B"});
  pays("B", 65'280, "2");  // no residual
  pays("B", 1'000, "3");
  BOOST_TEST(owed() == "147.20 due, 0.00 reserve");
  BOOST_TEST(paid() == "10.00");
  clock.advance_days(6);
  BOOST_TEST(paid() == "invalid_state");
  clock.advance_days(1);
  BOOST_TEST(paid() == "137.20");
}

BOOST_AUTO_TEST_CASE(a_payout_nets_a_loss_that_the_practice_bears_and_leaves_its_settlement_even) {
  bears(RecourseEvent::short_payment, Bearer::practice);
  fund({"A"});
  fund({"B"});
  pays("A", 79'000, "1");
  pays("B", 60'000, "2");  // 40.00 of the advance stay unpaid
  BOOST_TEST(owed() == "97.20 due, 0.00 reserve");
  BOOST_TEST(due("B") == "0.00 due, 0.00 held");
  BOOST_TEST(paid() == "97.20");
  BOOST_TEST(due("A") == "0.00 due, 0.00 held");
  BOOST_TEST(due("B") == "0.00 due, 0.00 held");
  // The payer pays the rest after all: the practice gets back what it bore.
  pays("B", 4'000, "3");
  BOOST_TEST(owed() == "40.00 due, 0.00 reserve");
  BOOST_TEST(due("B") == "0.00 due, 0.00 held");
}

BOOST_AUTO_TEST_CASE(the_funder_bears_a_takeback_of_what_a_payout_paid) {
  bears(RecourseEvent::takeback, Bearer::funder);
  fund({"A"});
  pays("A", 79'000, "1");
  BOOST_TEST(paid() == "137.20");
  takes_back("A", 1'000, "2");
  BOOST_TEST(owed() == "0.00 due, 0.00 reserve");
  BOOST_TEST(due("A") == "0.00 due, 0.00 held");
  BOOST_TEST(entries("A").back().facts.paid_out.cents() == 13'720);
}

BOOST_AUTO_TEST_SUITE_END()
