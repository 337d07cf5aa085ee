// A tenant without a bank feed: each remittance creates the deposit that it announces.
#include "core/usecases/tasks/decide_task.hpp"
#include "core/usecases/tasks/read_tasks.hpp"
#include "tests/usecases/matching/matching_steps_world.hpp"

using namespace tideover;
using tests::MatchingStepsWorld;

namespace {

struct WithoutBankFeed : MatchingStepsWorld {
  WithoutBankFeed() : MatchingStepsWorld(domain::PostOn::remittance) {}

  std::vector<domain::Deposit> all_deposits() {
    return seen([&](const ports::Records& records) { return records.deposits().list(caller.tenant, {}, {"", 100}); });
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(post_on, WithoutBankFeed)

BOOST_AUTO_TEST_CASE(a_remittance_posts_its_own_deposit) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}, {"B", 60'000}}});
  BOOST_TEST(ends() == "A settled by trace_number; B settled_short by trace_number");
  const auto made = all_deposits();
  BOOST_REQUIRE(made.size() == 1u);
  BOOST_TEST(made[0].amount == domain::Money::cents(139'000));
  BOOST_TEST(made[0].channel == "remittance");
  BOOST_TEST(made[0].trace_number == "T1");
  BOOST_TEST((made[0].status == domain::MatchState::matched));
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(139'000));
  BOOST_TEST(balance("suspense_unmatched") == domain::Money{});
  BOOST_TEST(events("deposit.received") == 1);
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}, {"B", 60'000}}});
  BOOST_TEST(all_deposits().size() == 1u, "a repeated remittance changes nothing");
}

BOOST_AUTO_TEST_CASE(a_remittance_without_a_trace_number_posts_its_own_deposit) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "", {{"A", 79'000}}});
  BOOST_TEST(ends() == "A settled by amount_and_date");
  BOOST_TEST(all_deposits().size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_deposit_reported_by_the_bank_is_booked_once) {
  fund({"A"});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  BOOST_TEST(ends() == "D1 matched; A settled by trace_number");
  BOOST_TEST(all_deposits().size() == 1u);

  fund({"B"});
  arrives(tests::Remittance{"N2", "T2", {{"B", 79'000}}});
  arrives(tests::Cash{"D2", 79'000, "T2"});  // a bank's report after the remittance: held for a reviewer, not booked
  BOOST_TEST(ends() ==
             "D1 matched; D2 suspected_duplicate; A settled by trace_number; B settled by trace_number; "
             "deposit_duplicate about D2");
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(158'000));
}

BOOST_AUTO_TEST_CASE(a_remittance_with_a_reused_trace_number_posts_its_own_deposit) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Remittance{"N2", "T1", {{"B", 79'000}}, 1});
  BOOST_TEST(ends() == "A settled by trace_number; B settled by trace_number; trace_reused about N2");
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(158'000));
}

BOOST_AUTO_TEST_CASE(a_remittance_sent_again_with_another_payment_date_is_booked_once) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 40'000}}});
  arrives(tests::Remittance{"N2", "T1", {{"A", 40'000}}, 1});
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(40'000));
  BOOST_REQUIRE(all_deposits().size() == 2u);
  BOOST_TEST((all_deposits()[1].status == domain::MatchState::suspected_duplicate));
}

BOOST_AUTO_TEST_CASE(a_remittance_sent_again_after_a_month_is_booked_once) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 40'000}}, -30});
  arrives(tests::Remittance{"N2", "T1", {{"A", 40'000}}});
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(40'000));
  const auto held = tasks(std::string(domain::kDepositDuplicate));
  BOOST_REQUIRE(held.size() == 1u);
  BOOST_TEST(usecases::ReadTasks(*store).view(caller.tenant, held[0].id.text())->proposals.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_remittance_sent_again_later_with_another_amount_is_booked_once) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 40'000}}});
  arrives(tests::Remittance{"N2", "T1", {{"A", 40'000}, {"B", 60'000}}, 1});
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(40'000));
  BOOST_TEST(tasks(std::string(domain::kDepositDuplicate)).size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_third_remittance_of_a_trace_number_is_compared_with_all_before_it) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"B", 79'000}}});
  arrives(tests::Remittance{"N2", "T1", {{"A", 40'000}}, 1});
  arrives(tests::Remittance{"N3", "T1", {{"A", 40'000}}, 2});
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(79'000 + 40'000));
}

BOOST_AUTO_TEST_CASE(a_remittance_without_a_trace_number_sent_again_is_booked_once) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "", {{"A", 40'000}}});
  arrives(tests::Remittance{"N2", "", {{"A", 40'000}}, 1});
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(40'000));
}

BOOST_AUTO_TEST_CASE(a_remittance_sent_again_with_other_content_is_booked_once) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Remittance{"N2", "T1", {{"A", 79'000, 100'000, std::nullopt, "19", "ICN-1"}}});
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(79'000));
  BOOST_REQUIRE(all_deposits().size() == 2u);
  BOOST_TEST((all_deposits()[1].status == domain::MatchState::suspected_duplicate));
  BOOST_TEST(ends() == "A settled by trace_number; trace_reused about N2; deposit_duplicate about ");

  // A reviewer decides if it is the same payment or another one.
  fund({"B"});
  arrives(tests::Remittance{"N3", "T1", {{"B", 79'000}}});
  usecases::DecideTask decide{*store, *disburse, payers, ids, false};
  const auto held = tasks(std::string(domain::kDepositDuplicate));
  BOOST_REQUIRE(held.size() == 2u);
  const auto same = usecases::ReadTasks(*store).view(caller.tenant, held[0].id.text())->proposals;
  BOOST_REQUIRE(same.size() == 2u);
  BOOST_REQUIRE(bool(decide(context("decide"), held[0].id.text(),
                            {std::string(domain::kAccept), "corrected", same.front().id}, tests::task_body)));
  BOOST_REQUIRE(bool(decide(context("decide"), held[1].id.text(),
                            {std::string(domain::kDistinct), "seen at the bank", ""}, tests::task_body)));
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(158'000));
  BOOST_TEST(ends() ==
             "A settled by trace_number; B pending; trace_reused about N2; trace_reused about N3; match_ambiguous "
             "about ");  // N2 waits for a deposit of this number, too
}

BOOST_AUTO_TEST_CASE(a_remittance_above_the_charge_is_held_without_a_bank_feed) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 100'001}}});
  BOOST_TEST(ends() == "A pending; match_ambiguous about N1");
  BOOST_TEST(holdings() == "receivable A 640.00; suspense_unmatched -1000.01");
  BOOST_TEST(reconciliation(settlements.at("A")).residual_due == domain::Money{});
}

BOOST_AUTO_TEST_CASE(a_remittance_sent_again_with_another_amount_is_booked_once) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Remittance{"N2", "T1", {{"A", 79'000}, {"B", 60'000}}});
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(79'000));
  BOOST_TEST(ends() == "A settled by trace_number; B pending; trace_reused about N2; deposit_duplicate about ");
  const auto held = tasks(std::string(domain::kDepositDuplicate));
  BOOST_REQUIRE(held.size() == 1u);
  BOOST_TEST(usecases::ReadTasks(*store).view(caller.tenant, held[0].id.text())->proposals.size() == 1u);
  usecases::DecideTask decide{*store, *disburse, payers, ids, false};
  BOOST_REQUIRE(bool(decide(context("decide"), held[0].id.text(),
                            {std::string(domain::kDistinct), "two payments at the bank", ""}, tests::task_body)));
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(79'000 + 139'000));
}

BOOST_AUTO_TEST_CASE(a_remittance_sent_again_with_its_payer_posts_its_deposit) {
  fund({"A"});
  const tests::Remittance unknown{"N1", "T1", {{"A", 79'000}}, 0, ""};
  arrives(unknown);
  BOOST_TEST(all_deposits().empty());
  auto known = unknown;
  known.payer = "PAYER";
  arrives(known);
  arrives(known);
  BOOST_TEST(ends() == "A settled by trace_number");
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(79'000));
}

BOOST_AUTO_TEST_CASE(a_remittance_with_an_assigned_payer_posts_its_deposit) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "", {{"A", 79'000}}, 0, ""});
  BOOST_TEST(ends() == "A pending; match_ambiguous about N1");
  usecases::DecideTask decide{*store, *disburse, payers, ids, false};
  const int audited = audit_rows();
  const auto paid_on = clock.now().utc_date();
  clock.advance_days(5);
  const auto named = decide(context("decide"), tasks().front().id.text(),
                            {std::string(domain::kAssignPayer), "asked the bank", "PAYER"}, tests::task_body);
  BOOST_REQUIRE_MESSAGE(named, tests::why(named));
  BOOST_TEST(ends() == "A settled by amount_and_date");
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(79'000));
  BOOST_TEST(audit_rows() == audited + 2, "the decision, and the money");
  // Lists bound ids and created_at together, and the id of the deposit is new.
  BOOST_REQUIRE(all_deposits().size() == 1u);
  BOOST_TEST((all_deposits()[0].created_at == clock.now()));
  BOOST_TEST((all_deposits()[0].received_date == paid_on));
}

BOOST_AUTO_TEST_CASE(held_and_zero_remittances_create_no_deposit) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", 0, "ACH", 100});
  BOOST_TEST(ends() == "A pending; remittance_unbalanced about N1");
  arrives(tests::Remittance{"N2", "T2", {{"A", 0, 100'000, std::nullopt, "4"}}});
  BOOST_TEST(all_deposits().empty());
  BOOST_TEST(balance("deposit_clearing") == domain::Money{});
}

BOOST_AUTO_TEST_SUITE_END()
