// Deposits that repeat another one: the repeat is held until a reviewer decides.
#include <string>

#include "tests/usecases/matching/alike_world.hpp"

using namespace tideover;
using domain::Money;
using tests::AlikeWorld;
using tests::Cash;
using tests::Remittance;

BOOST_FIXTURE_TEST_SUITE(duplicate_deposits, AlikeWorld)

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

BOOST_AUTO_TEST_SUITE_END()
