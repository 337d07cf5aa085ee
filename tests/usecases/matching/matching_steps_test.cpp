// The matching steps as a table (core/docs/contract.md#matching): the result of each pair of deposit, remittance and
// advance, and the final states, with the deposits first and with the remittances first. A bill of 1000.00 expects
// 800.00; today is a Friday before Thanksgiving.
#include <ctime>

#include "tests/usecases/matching/matching_steps_world.hpp"

using namespace tideover;
using tests::MatchingStepsWorld;

namespace {

struct Case {
  const char* what;
  std::vector<tests::Advance> advances;
  std::vector<tests::Cash> money;  // name, cents, trace, day, payer, originator
  std::vector<tests::Remittance>
      remittances;  // name, trace, claims {number, paid, charge, service day}, day, payer, originator
  const char* pairs;
  const char* ends;
  // With the remittances first, if that differs.
  const char* other_pairs = nullptr;
  const char* other_ends = nullptr;
};

const std::vector<Case> kCases{
    // --- step 1: trace number, verified by amount and date ---
    {"number, amount and date agree",
     {{"A"}},
     {{"D1", 79'000, "T1"}},
     {{"N1", "T1", {{"A", 79'000}}}},
     "D1~N1 trace_number; N1~A claim_identifier",
     "D1 matched; A settled by trace_number"},
    {"an alphanumeric number",
     {{"A"}},
     {{"D1", 79'000, "0EFT/7q-A19"}},
     {{"N1", "0EFT/7q-A19", {{"A", 79'000}}}},
     "D1~N1 trace_number; N1~A claim_identifier",
     "D1 matched; A settled by trace_number"},
    {"leading zeros are lost",
     {{"A"}},
     {{"D1", 79'000, "4711"}},
     {{"N1", "00004711", {{"A", 79'000}}}},
     "D1~N1 trace_number; N1~A claim_identifier",
     "D1 matched; A settled by trace_number"},
    {"a lost prefix is for a reviewer at once",
     {{"A"}},
     {{"D1", 79'000, "4711"}},
     {{"N1", "EFT-4711", {{"A", 79'000}}}},
     "D1~N1 amount_and_date: trace_number_differs; N1~A claim_identifier",
     "D1 unmatched; A pending; deposit_unmatched about D1"},
    {"amount off by a cent",
     {{"A"}},
     {{"D1", 79'001, "T1"}},
     {{"N1", "T1", {{"A", 79'000}}}},
     "D1~N1 trace_number: amount_differs; N1~A claim_identifier",
     "D1 unmatched; A pending; deposit_unmatched about D1"},
    {"the last day of the window",
     {{"A"}},
     {{"D1", 79'000, "T1", 5}},
     {{"N1", "T1", {{"A", 79'000}}}},
     "D1~N1 trace_number; N1~A claim_identifier",
     "D1 matched; A settled by trace_number"},
    {"a day behind the window",
     {{"A"}},
     {{"D1", 79'000, "T1", 7}},
     {{"N1", "T1", {{"A", 79'000}}}},
     "D1~N1 trace_number: date_outside_window; N1~A claim_identifier",
     "D1 unmatched; A pending; deposit_unmatched about D1"},
    {"a check that is cashed late",
     {{"A"}},
     {{"D1", 79'000, "T1", 60}},
     {{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", 0, "CHK"}},
     "D1~N1 trace_number; N1~A claim_identifier",
     "D1 matched; A settled by trace_number"},
    {"a stale check",
     {{"A"}},
     {{"D1", 79'000, "T1", 200}},
     {{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", 0, "CHK"}},
     "D1~N1 trace_number: date_outside_window; N1~A claim_identifier",
     "D1 unmatched; A pending; deposit_unmatched about D1"},
    {"another payer's number",
     {{"A"}},
     {{"D1", 79'000, "T1", 0, "OTHER"}},
     {{"N1", "T1", {{"A", 79'000}}}},
     "D1~N1 trace_number: payer_differs; N1~A claim_identifier",
     "D1 unmatched; A pending"},
    {"two payers use one number",
     {{"A"}, {"B", 100'000, "OTHER"}},
     {{"D1", 79'000, "T1"}, {"D2", 79'000, "T1", 0, "OTHER"}},
     {{"N1", "T1", {{"A", 79'000}}}, {"N2", "T1", {{"B", 79'000}}, 0, "OTHER"}},
     "D1~N1 trace_number; D2~N1 trace_number: payer_differs; D2~N2 trace_number; N1~A claim_identifier; N2~B "
     "claim_identifier",
     "D1 matched; D2 matched; A settled by trace_number; B settled by trace_number",
     "D1~N1 trace_number; D1~N2 trace_number: payer_differs; D2~N2 trace_number; N1~A claim_identifier; N2~B "
     "claim_identifier"},
    {"an unknown payer, the originator agrees",
     {{"A"}},
     {{"D1", 79'000, "T1", 0, "", "1512345678"}},
     {{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "1512345678"}},
     "D1~N1 trace_number; N1~A claim_identifier",
     "D1 matched; A settled by trace_number"},
    {"an unknown payer, the originator differs",
     {{"A"}},
     {{"D1", 79'000, "T1", 0, "", "1999999999"}},
     {{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "1512345678"}},
     "D1~N1 trace_number: originator_differs; N1~A claim_identifier",
     "D1 unmatched; A pending; deposit_unmatched about D1"},
    {"the payer's bank is the originator",
     {{"A"}},
     {{"D1", 79'000, "T1", 0, "PAYER", "9200502235"}},
     {{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "1512345678"}},
     "D1~N1 trace_number; N1~A claim_identifier",
     "D1 matched; A settled by trace_number"},
    {"two remittances of one number and amount",
     {{"A"}, {"B"}},
     {{"D1", 79'000, "T1"}},
     {{"N1", "T1", {{"A", 79'000}}}, {"N2", "T1", {{"B", 79'000}}}},
     "D1~N1 trace_number; N1~A claim_identifier; N2~B claim_identifier",
     "D1 matched; A settled by trace_number; B pending; trace_reused about N2",
     "D1~N1 trace_number: several_fit; D1~N2 trace_number: several_fit; N1~A claim_identifier; N2~B claim_identifier",
     "D1 unmatched; A pending; B pending; trace_reused about N2; match_ambiguous about D1"},
    {"two deposits of one number and amount",
     {{"A"}},
     {{"D1", 79'000, "T1"}, {"D2", 79'000, "T1", 1}},
     {{"N1", "T1", {{"A", 79'000}}}},
     "D1~N1 trace_number: several_fit; D2~N1 trace_number: several_fit; N1~A claim_identifier",
     "D1 unmatched; D2 unmatched; A pending; match_ambiguous about N1",
     "D1~N1 trace_number; N1~A claim_identifier",
     "D1 matched; D2 unmatched; A settled by trace_number"},
    {"a number used again in another file, with new money",
     {{"A"}, {"B"}},
     {{"D1", 79'000, "T1"}, {"D2", 70'000, "T1"}},
     {{"N1", "T1", {{"A", 79'000}}}, {"N2", "T1", {{"B", 70'000}}}},
     "D1~N1 trace_number; D2~N1 trace_number: amount_differs; D2~N2 trace_number; N1~A claim_identifier; N2~B "
     "claim_identifier",
     "D1 matched; D2 matched; A settled by trace_number; B settled by trace_number; trace_reused about N2",
     "D1~N1 trace_number; D1~N2 trace_number: amount_differs; D2~N2 trace_number; N1~A claim_identifier; N2~B "
     "claim_identifier"},
    {"an unbalanced remittance is held",
     {{"A"}},
     {{"D1", 79'100, "T1"}},
     {{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", 0, "ACH", 100}},
     "",
     "D1 unmatched; A pending; remittance_unbalanced about N1",
     "D1~N1 trace_number: remittance_unbalanced",
     "D1 unmatched; A pending; remittance_unbalanced about N1; deposit_unmatched about D1"},

    // --- step 2: control numbers, verified by payer, charge and service date ---
    {"our number as the payer's claim number",
     {{"A"}},
     {{"D1", 79'000, "T1"}},
     {{"N1", "T1", {{"X-77", 79'000, 100'000, std::nullopt, "1", "A"}}}},
     "D1~N1 trace_number; N1~A scored_search: charge_and_service_date_equal claim_number_in_another_form",
     "D1 partly_matched; A pending; match_ambiguous about N1"},
    {"the number of another visit",
     {{"A"}},
     {{"D1", 79'000, "T1"}},
     {{"N1", "T1", {{"A", 79'000, 100'000, -30}}}},
     "D1~N1 trace_number; N1~A claim_identifier: service_date_differs",
     "D1 partly_matched; A pending; match_ambiguous about N1"},
    {"the number twice, the date decides",
     {{"A"}},
     {{"D1", 130'000, "T1"}},
     {{"N1", "T1", {{"A", 51'000, 100'000, -30}, {"A", 79'000, 100'000, 0}}}},
     "D1~N1 trace_number; N1~A claim_identifier; N1~A claim_identifier: service_date_differs",
     "D1 matched; A settled by trace_number"},
    {"the number twice, the charge decides",
     {{"A"}},
     {{"D1", 84'000, "T1"}},
     {{"N1", "T1", {{"A", 79'000}, {"A", 5'000, 7'000}}}},
     "D1~N1 trace_number; N1~A claim_identifier; N1~A claim_identifier: charge_differs",
     "D1 matched; A settled by trace_number"},
    {"the number twice, nothing decides",
     {{"A"}},
     {{"D1", 79'000, "T1"}},
     {{"N1", "T1", {{"A", 40'000}, {"A", 39'000}}}},
     "D1~N1 trace_number; N1~A claim_identifier: several_fit",
     "D1 partly_matched; A pending; match_ambiguous about N1"},
    {"the charge is off by a cent",
     {{"A"}},
     {{"D1", 79'000, "T1"}},
     {{"N1", "T1", {{"A", 79'000, 100'001}}}},
     "D1~N1 trace_number; N1~A claim_identifier: charge_differs",
     "D1 partly_matched; A pending; match_ambiguous about N1"},
    {"the number in a secondary payer's remittance",
     {{"A"}},
     {{"D1", 4'000, "T1", 0, "OTHER"}},
     {{"N1", "T1", {{"A", 4'000}}, 0, "OTHER"}},
     "D1~N1 trace_number; N1~A claim_identifier: payer_differs",
     "D1 partly_matched; A pending; match_ambiguous about N1"},
    {"a claim without an advance",
     {{"A"}},
     {{"D1", 100'000, "T1"}},
     {{"N1", "T1", {{"A", 79'000}, {"STRANGER", 21'000, 120'000}}}},
     "D1~N1 trace_number; N1~A claim_identifier",
     "D1 matched; A settled by trace_number"},

    // --- step 3: payer, exact cents, date window ---
    {"no number at all",
     {{"A"}},
     {{"D1", 79'000, ""}},
     {{"N1", "", {{"A", 79'000}}}},
     "D1~N1 amount_and_date; N1~A claim_identifier",
     "D1 matched; A settled by amount_and_date"},
    {"a number on the remittance only",
     {{"A"}},
     {{"D1", 79'000, ""}},
     {{"N1", "T1", {{"A", 79'000}}}},
     "D1~N1 amount_and_date; N1~A claim_identifier",
     "D1 matched; A settled by amount_and_date"},
    {"a number on the deposit only",
     {{"A"}},
     {{"D1", 79'000, "T1"}},
     {{"N1", "", {{"A", 79'000}}}},
     "D1~N1 amount_and_date; N1~A claim_identifier",
     "D1 matched; A settled by amount_and_date"},
    {"no number, off by a cent",
     {{"A"}},
     {{"D1", 79'001, ""}},
     {{"N1", "", {{"A", 79'000}}}},
     "N1~A claim_identifier",
     "D1 unmatched; A pending; deposit_unmatched about D1"},
    {"no number, a day behind the window",
     {{"A"}},
     {{"D1", 79'000, "", 7}},
     {{"N1", "", {{"A", 79'000}}}},
     "D1~N1 amount_and_date: date_outside_window; N1~A claim_identifier",
     "D1 unmatched; A pending; deposit_unmatched about D1"},
    {"two remittances of one amount",
     {{"A"}, {"B"}},
     {{"D1", 79'000, ""}},
     {{"N1", "", {{"A", 79'000}}}, {"N2", "", {{"B", 79'000}}}},
     "D1~N1 amount_and_date; N1~A claim_identifier; N2~B claim_identifier",
     "D1 matched; A settled by amount_and_date; B pending",
     "D1~N1 amount_and_date: several_fit; D1~N2 amount_and_date: several_fit; N1~A claim_identifier; N2~B "
     "claim_identifier",
     "D1 unmatched; A pending; B pending; match_ambiguous about D1"},
    {"two deposits of one amount",
     {{"A"}},
     {{"D1", 79'000, ""}, {"D2", 79'000, "", 1}},
     {{"N1", "", {{"A", 79'000}}}},
     "D1~N1 amount_and_date: several_fit; D2~N1 amount_and_date: several_fit; N1~A claim_identifier",
     "D1 unmatched; D2 unmatched; A pending; deposit_unmatched about D1; deposit_unmatched about D2; match_ambiguous "
     "about N1",
     "D1~N1 amount_and_date; N1~A claim_identifier",
     "D1 matched; D2 unmatched; A settled by amount_and_date; deposit_unmatched about D2"},
    {"a deposit without remittance that one advance expects",
     {{"A"}, {"B", 200'000}},
     {{"D1", 80'000, ""}},
     {},
     "D1~A amount_and_date",
     "D1 matched; A settled by amount_and_date; B pending"},
    {"a deposit without remittance that two advances expect",
     {{"A"}, {"B"}},
     {{"D1", 80'000, ""}},
     {},
     "D1~A amount_and_date: several_fit; D1~B amount_and_date: several_fit",
     "D1 unmatched; A pending; B pending; deposit_unmatched about D1"},
    {"a deposit without remittance, half a year late",
     {{"A"}},
     {{"D1", 80'000, "", 180}},
     {},
     "D1~A amount_and_date: date_outside_window",
     "D1 unmatched; A pending; deposit_unmatched about D1"},
    {"a deposit without remittance, confirmed by a later one",
     {{"A"}},
     {{"D1", 80'000, ""}},
     {{"N1", "T9", {{"A", 80'000}}}},
     "D1~A amount_and_date; D1~N1 amount_and_date; N1~A claim_identifier",
     "D1 matched; A settled by amount_and_date",
     "D1~N1 amount_and_date; N1~A claim_identifier"},

    // --- step 4: one and many ---
    {"one deposit, many claims",
     {{"A"}, {"B"}, {"C"}},
     {{"D1", 239'000, "T1"}},
     {{"N1", "T1", {{"A", 79'000}, {"B", 80'000}, {"C", 80'000}}}},
     "D1~N1 trace_number; N1~A claim_identifier; N1~B claim_identifier; N1~C claim_identifier",
     "D1 matched; A settled by trace_number; B settled by trace_number; C settled by trace_number"},
    {"one deposit, many remittances of its number",
     {{"A"}, {"B"}},
     {{"D1", 159'000, "T1"}},
     {{"N1", "T1", {{"A", 79'000}}}, {"N2", "T1", {{"B", 80'000}}}},
     "D1~N1 one_to_many; D1~N1 trace_number: amount_differs; D1~N2 one_to_many; D1~N2 trace_number: amount_differs; "
     "N1~A claim_identifier; N2~B claim_identifier",
     "D1 matched; A settled by one_to_many; B settled by one_to_many"},
    {"one deposit, many remittances with another sum",
     {{"A"}, {"B"}},
     {{"D1", 159'001, "T1"}},
     {{"N1", "T1", {{"A", 79'000}}}, {"N2", "T1", {{"B", 80'000}}}},
     "D1~N1 trace_number: amount_differs; D1~N2 trace_number: amount_differs; N1~A claim_identifier; N2~B "
     "claim_identifier",
     "D1 unmatched; A pending; B pending; deposit_unmatched about D1; trace_reused about N2",
     nullptr,
     "D1 unmatched; A pending; B pending; trace_reused about N2; deposit_unmatched about D1"},
    {"a remittance with a withholding for nothing known",
     {{"A"}, {"B"}},
     {{"D1", 150'000, "T1"}},
     {{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", 9'000}, {"N2", "T1", {{"B", 80'000}}}},
     "D1~N1 one_to_many; D1~N1 trace_number: amount_differs; D1~N2 one_to_many; D1~N2 trace_number: amount_differs; "
     "N1~A claim_identifier; N2~B claim_identifier",
     "D1 matched; A settled by one_to_many; B settled by one_to_many"},
};

struct Order {
  bool money_first;
  const char* name;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(matching_steps)

BOOST_AUTO_TEST_CASE(every_case_ends_as_the_table_says_in_both_orders_of_arrival) {
  for (const auto& row : kCases)
    for (const auto& order : {Order{true, "deposits first"}, Order{false, "remittances first"}}) {
      BOOST_TEST_CONTEXT(row.what << ", " << order.name) {
        MatchingStepsWorld world;
        for (const auto& advance : row.advances) world.fund(advance);
        if (order.money_first)
          for (const auto& money : row.money) world.arrives(money);
        for (const auto& remittance : row.remittances) world.arrives(remittance);
        if (!order.money_first)
          for (const auto& money : row.money) world.arrives(money);
        const bool other = !order.money_first;
        BOOST_TEST(world.pairs() == (other && row.other_pairs ? row.other_pairs : row.pairs));
        BOOST_TEST(world.ends() == (other && row.other_ends ? row.other_ends : row.ends));
        world.teardown();
      }
    }
}

BOOST_FIXTURE_TEST_CASE(an_unbooked_takeback_funds_no_claim, MatchingStepsWorld) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Cash{"D1", 60'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 60'000}}});
  arrives(tests::Remittance{
      "N2", "", {{"A", -60'000, 100'000, std::nullopt, "25"}, {"B", 60'000}}});  // 25: not simply processed
  BOOST_TEST(balance("suspense_unmatched") == domain::Money{});
  BOOST_TEST(ends() == "D1 matched; A settled_short by trace_number; B pending; match_ambiguous about N2");
}

BOOST_FIXTURE_TEST_CASE(a_remittance_of_another_month_does_not_confirm_an_equal_deposit, MatchingStepsWorld) {
  fund({"A"});
  arrives(tests::Cash{"D1", 80'000, ""});
  BOOST_TEST(ends() == "D1 matched; A settled by amount_and_date");
  arrives(tests::Remittance{"N1", "T9", {{"A", 80'000}}, 40});
  arrives(tests::Cash{"D2", 80'000, "T9", 40});
  BOOST_TEST(ends() == "D1 matched; D2 partly_matched; A settled by amount_and_date; match_ambiguous about N1");
}

BOOST_FIXTURE_TEST_CASE(a_reversal_is_applied_with_either_sign_of_its_charge, MatchingStepsWorld) {
  fund({"A", 100'000, "PAYER", {"99213", "87880"}});
  const auto half = [](std::int64_t paid, const char* status) {
    return tests::PaidClaim{"A", paid, 50'000, std::nullopt, status, "", "99213"};
  };
  arrives(tests::Cash{"D1", 20'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {half(20'000, "1")}});
  BOOST_TEST(ends() == "D1 matched; A partial by trace_number");
  arrives(tests::Remittance{"N2", "", {half(-20'000, "22"), half(20'000, "1")}});
  BOOST_TEST(ends() == "D1 matched; A partial by claim_identifier");  // the other half is still unpaid
  BOOST_TEST(balance("loss_on_receivable") == domain::Money{});
}

BOOST_FIXTURE_TEST_CASE(records_of_two_nodes_are_ordered_by_posting_not_by_clock, MatchingStepsWorld) {
  fund({"A", 100'000, "PAYER", {"99213", "87880"}});
  const auto half = [](std::int64_t paid, const char* line) {
    return tests::PaidClaim{"A", paid, 50'000, std::nullopt, "1", "", line};
  };
  ids.count_on_from(1'000'000);
  arrives(tests::Cash{"D1", 40'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {half(40'000, "99213")}});
  ids.count_on_from(500'000);
  arrives(tests::Cash{"D2", 39'000, "T2"});
  arrives(tests::Remittance{"N2", "T2", {half(39'000, "87880")}});
  BOOST_TEST(postings() == "A 400.00 partial, 390.00 settled");
  BOOST_TEST(ends() == "D1 matched; D2 matched; A settled by trace_number");
}

BOOST_FIXTURE_TEST_CASE(a_hundred_remittances_of_another_month_do_not_hide_the_fitting_one, MatchingStepsWorld) {
  fund({"A"});
  for (int i = 0; i < 100; ++i)
    arrives(tests::Remittance{"X" + std::to_string(i), "", {{"X" + std::to_string(i), 79'000}}, -60});
  arrives(tests::Remittance{"N1", "", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, ""});
  BOOST_TEST(ends() == "D1 matched; A settled by amount_and_date");
}

BOOST_FIXTURE_TEST_CASE(a_hundred_remittances_of_one_number_do_not_hide_the_fitting_one, MatchingStepsWorld) {
  fund({"A"});
  for (int i = 0; i < 100; ++i)
    arrives(tests::Remittance{"X" + std::to_string(i), "T1", {{"X" + std::to_string(i), 100 + i}}});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  BOOST_TEST(reconciliation(settlements["A"]).matched_by == "trace_number");
}

/// Processor time to post a remittance of so many claims of one number; the payer's own numbers lead to claims of ours.
double seconds_of_namesakes(int claims, const std::vector<std::string>& ours) {
  MatchingStepsWorld world;
  for (const auto& claim : ours) world.fund({claim});
  tests::Remittance remittance{"N1", "T1", {}};
  for (int i = 0; i < claims; ++i)
    remittance.claims.push_back({ours.size() == 1 ? ours.front() : "NAMESAKE", 1, 100'000, std::nullopt, "1",
                                 ours[static_cast<std::size_t>(i) % ours.size()]});
  world.arrives(tests::Cash{"D1", claims, "T1"});
  const auto began = std::clock();
  world.arrives(remittance);
  return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}

BOOST_AUTO_TEST_CASE(claims_of_one_number_are_summed_once) {
  for (const auto& ours : {std::vector<std::string>{"A"}, std::vector<std::string>{"A", "B"}}) {
    const double few = seconds_of_namesakes(1'000, ours), many = seconds_of_namesakes(8'000, ours);
    BOOST_TEST(many < 20 * few,
               "8 times as many took " << many / few << " times as long");  // 64 times if each pair is compared
  }
}

BOOST_AUTO_TEST_CASE(a_search_without_a_candidate_is_recorded) {
  MatchingStepsWorld world;
  world.arrives(tests::Cash{"D1", 79'000, ""});
  const auto trail = world.seen([&](const ports::Records& records) {
    return usecases::trail_of(records, world.caller.tenant, world.deposits["D1"].text());
  });
  BOOST_REQUIRE(trail.size() == 2u);  // no remittance, no settlement
  for (const auto& seen : trail) {
    BOOST_TEST((seen.step == domain::MatchStep::amount_and_date));
    BOOST_TEST((seen.reasons == domain::MatchReasons{"nothing_found"}));
  }
}

BOOST_AUTO_TEST_CASE(the_trail_of_a_settlement_shows_remittance_deposit_and_rejected_candidates) {
  MatchingStepsWorld world;
  world.fund({"A"});
  world.arrives(tests::Cash{"D1", 70'000, "T1"});
  world.arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  world.arrives(tests::Cash{"D2", 79'000, "T1"});
  const auto trail = world.seen([&](const ports::Records& records) {
    return usecases::trail_of(records, world.caller.tenant, world.settlements["A"]);
  });
  std::vector<std::string> lines;
  for (const auto& seen : trail)
    if (!seen.candidate.empty())
      lines.push_back(world.names[seen.subject] + ' ' + world.names[seen.candidate] + ' ' +
                      std::string(name_of(seen.verdict)));
  BOOST_TEST(MatchingStepsWorld::joined(lines) == "N1 D1 rejected; N1 A taken; D2 N1 taken");
}

BOOST_FIXTURE_TEST_CASE(a_waiting_advance_is_not_sent_after_a_denial_of_its_claim, MatchingStepsWorld) {
  const auto terms = terms_of({"A"});
  journal.disk_full = true;
  journal.ready_checks_disk = false;
  BOOST_TEST(tests::refusal_of(try_confirm(terms)) == domain::ErrorCode::service_unavailable);
  journal.disk_full = false;
  arrives(tests::Remittance{"N1", "T1", {{"A", 0, 100'000, std::nullopt, "4"}}});
  BOOST_TEST((claim_status("A").status == domain::ClaimStatus::denied));
  clock.advance_s(3601);
  resolve();
  BOOST_TEST(same_day.calls().empty());
  BOOST_TEST((attempt(terms).state == domain::AttemptState::rejected));
  BOOST_TEST(attempt(terms).reason_code == "claim_decided");
}

BOOST_FIXTURE_TEST_CASE(a_claim_decided_by_its_payer_before_its_review_is_not_advanced, MatchingStepsWorld) {
  const auto refusal = [&](const std::string& claim) {
    const auto made = try_adjudicate(review(draft(claim)).authorization_id.text());
    return made ? "" : made.error().message;
  };
  arrives(tests::Remittance{"N1",
                            "T1",
                            {{"A", 79'000},
                             {"B", 79'000, 90'000},
                             {"C", 0, 100'000, std::nullopt, "4"},
                             {"D", 79'000},
                             {"F", 0, 100'000, std::nullopt, "23"}}});
  arrives(tests::Remittance{"N2", "T2", {{"E", 10'000}}, 0, "PAYER", "", 0, "ACH", 500});  // unbalanced: held
  arrives(tests::Remittance{"N3", "T3", {{"D", 81'000}, {"D", -79'000, 100'000, std::nullopt, "22"}}});
  // A takeback, although its status is not that of a reversal.
  arrives(tests::Remittance{"N4", "T4", {{"G", -79'000, -100'000}}, 0, "PAYER", "", -79'000});
  BOOST_TEST(refusal("A") == "A claim that is paid cannot be advanced.");
  BOOST_TEST((claim_status("A").status == domain::ClaimStatus::paid));
  BOOST_TEST((claim_status("A").source == domain::StatusSource::payer));
  BOOST_TEST(events("claim.status_changed") == 1);
  BOOST_TEST(audit_rows("invalid_state") == 1);
  BOOST_TEST(refusal("A") == "A claim that is paid cannot be advanced.");  // its status does not move again
  BOOST_TEST(events("claim.status_changed") == 1);
  BOOST_TEST(refusal("B") == "");  // another claim of this number, with a lower charge
  BOOST_TEST(refusal("C") == "A claim that is denied cannot be advanced.");
  BOOST_TEST(refusal("D") == "A claim that is paid cannot be advanced.");
  BOOST_TEST(refusal("E") == "");
  BOOST_TEST(refusal("F") == "");
  BOOST_TEST(refusal("G") == "A claim that is reversed cannot be advanced.");
}

BOOST_AUTO_TEST_SUITE_END()
