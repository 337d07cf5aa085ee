// Deposits that repeat another one: the repeat is held until a reviewer decides.
#include <string>

#include "tests/usecases/matching/alike_world.hpp"

using namespace tideover;
using domain::Money;
using tests::AlikeWorld;
using tests::Cash;
using tests::Remittance;
using tests::why;

BOOST_FIXTURE_TEST_SUITE(duplicate_deposits, AlikeWorld)

// --- one channel ---

BOOST_AUTO_TEST_CASE(a_repeated_deposit_of_one_channel_is_held) {
  for (const char* trace : {"T1", ""}) {
    AlikeWorld world;
    world.fund({"CLMA-X"});
    world.arrives(Cash{"D1", 80'000, trace});
    world.arrives(Remittance{"N1", trace, {{"CLMA-X", 80'000}}});
    world.arrives(Cash{"D2", 80'000, trace});
    BOOST_TEST(world.ends() == std::string("D1 matched; D2 suspected_duplicate; CLMA-X settled by ") +
                                   (*trace ? "trace_number" : "amount_and_date") + "; deposit_duplicate about D2");
    BOOST_TEST(world.in_suspense() == Money{});
    const auto task = world.task_about("D2");
    BOOST_REQUIRE(world.proposals(task).size() == 1u);
    BOOST_REQUIRE(bool(world.accept(task, world.proposals(task).front().id)));
    BOOST_TEST(world.tasks().empty());
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_repeated_deposit_before_the_remittance_does_not_block_the_match) {
  fund({"CLMA-X"});
  for (int time = 0; time < 10; ++time) arrives(Cash{"D" + std::to_string(time), 79'000, time % 2 == 0 ? "T-1" : "t1"});
  arrives(Remittance{"N1", "T-1", {{"CLMA-X", 79'000}}});
  BOOST_TEST(reconciliation(settlements["CLMA-X"]).status == domain::FinalStatus::settled);
  BOOST_TEST(tasks("deposit_duplicate").size() == 9u);
  BOOST_TEST(in_suspense() == Money{});
}

BOOST_AUTO_TEST_CASE(deposits_of_other_days_amounts_payers_or_numbers_are_no_repeats) {
  arrives(Cash{"D1", 79'000, "T1"});
  arrives(Cash{"D2", 79'000, "T1", -1});
  arrives(Cash{"D3", 79'001, "T1"});
  arrives(Cash{"D4", 79'000, "T1", 0, "OTHER"});
  arrives(Cash{"D5", 79'000, "T2"});
  arrives(Cash{"D6", 79'000, ""});
  BOOST_TEST(tasks("deposit_duplicate").empty());
}

// --- one payment, two channels ---

BOOST_AUTO_TEST_CASE(a_deposit_reported_by_two_channels_is_booked_once_and_opens_a_task) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Cash{"D2", 79'000, "T1", 1, "", "", "bai2"});
  BOOST_TEST(ends() == "D1 matched; D2 suspected_duplicate; A settled by trace_number; deposit_duplicate about D2");
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(79'000));
  const auto before = books();
  const auto task = task_about("D2");
  BOOST_TEST(proposed(task) == "100 D1: trace_number_equal amount_equal date_in_window");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"D1"}))));
  BOOST_TEST(ends() == "D1 matched; D2 duplicate; A settled by trace_number");
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST(ends() == "D1 matched; D2 suspected_duplicate; A settled by trace_number; deposit_duplicate about D2");
  BOOST_TEST((books() == before));
}

BOOST_AUTO_TEST_CASE(a_suspected_duplicate_is_booked_and_matched_when_declared_distinct) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Cash{"D2", 79'000, "T1", 0, "PAYER", "", "bai2"});
  arrives(tests::Remittance{"N2", "T1", {{"B", 79'000}}});
  const auto decided = decide(task_about("D2"), domain::kDistinct);
  BOOST_REQUIRE_MESSAGE(decided, why(decided));
  BOOST_TEST(ends() ==
             "D1 matched; D2 matched; A settled by trace_number; B settled by trace_number; trace_reused about N2");
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(158'000));
}

BOOST_AUTO_TEST_CASE(a_deposit_with_another_number_amount_payer_or_day_is_no_duplicate) {
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Cash{"D2", 79'000, "T2", 0, "PAYER", "", "bai2"});
  arrives(tests::Cash{"D3", 79'001, "T1", 0, "PAYER", "", "bai2"});
  arrives(tests::Cash{"D4", 79'000, "T1", 0, "OTHER", "", "bai2"});
  arrives(tests::Cash{"D5", 79'000, "T1", 30, "PAYER", "", "bai2"});
  arrives(tests::Cash{"D6", 79'000, "T1", 1});  // the same channel, but another day
  BOOST_TEST(ends() == "D1 unmatched; D2 unmatched; D3 unmatched; D4 unmatched; D5 unmatched; D6 unmatched");
}

BOOST_AUTO_TEST_SUITE_END()
