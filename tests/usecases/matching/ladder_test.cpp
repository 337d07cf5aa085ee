// The match ladder as a table (core/docs/contract.md#matching): what each pair of money, notice and advance was thought
// of, and how it ended, with the money first and with the remittances first. A bill of 1000.00 expects 800.00; today is
// a Friday before Thanksgiving.
#include <ctime>

#include "tests/usecases/matching/ladder_world.hpp"

using namespace tideover;
using tests::LadderWorld;

namespace {

struct Case {
  const char* what;
  std::vector<tests::Advance> advances;
  std::vector<tests::Cash> money;  // name, cents, trace, day, payer, originator
  std::vector<tests::Notice>
      notices;  // name, trace, claims {number, paid, charge, service day}, day, payer, originator
  const char* pairs;
  const char* ends;
  // With the remittances first, where that differs.
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
    {"leading zeros lost are for a reviewer at once",
     {{"A"}},
     {{"D1", 79'000, "4711"}},
     {{"N1", "00004711", {{"A", 79'000}}}},
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
    {"a check is cashed when it suits",
     {{"A"}},
     {{"D1", 79'000, "T1", 60}},
     {{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", 0, "CHK"}},
     "D1~N1 trace_number; N1~A claim_identifier",
     "D1 matched; A settled by trace_number"},
    {"a check that was stale",
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
     "D1 matched; D2 matched; A settled by trace_number; B settled_over by trace_number",
     "D1~N1 trace_number; D1~N2 trace_number: payer_differs; D2~N2 trace_number; N1~A claim_identifier; N2~B "
     "claim_identifier"},
    {"nobody knows who paid, the originator agrees",
     {{"A"}},
     {{"D1", 79'000, "T1", 0, "", "1512345678"}},
     {{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "1512345678"}},
     "D1~N1 trace_number; N1~A claim_identifier",
     "D1 matched; A settled by trace_number"},
    {"nobody knows who paid, the originator is another",
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
    {"two notices of one number and amount",
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
    {"a notice that does not add up is held",
     {{"A"}},
     {{"D1", 79'100, "T1"}},
     {{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", 0, "ACH", 100}},
     "",
     "D1 unmatched; A pending; remittance_unbalanced about N1",
     "D1~N1 trace_number: remittance_unbalanced",
     "D1 unmatched; A pending; remittance_unbalanced about N1; deposit_unmatched about D1"},

    // --- step 2: control numbers, verified by payer, charge and service date ---
    {"the payer's claim number is ours",
     {{"A"}},
     {{"D1", 79'000, "T1"}},
     {{"N1", "T1", {{"X-77", 79'000, 100'000, std::nullopt, "1", "A"}}}},
     "D1~N1 trace_number; N1~A claim_identifier",
     "D1 matched; A settled by trace_number"},
    {"the number of another visit",
     {{"A"}},
     {{"D1", 79'000, "T1"}},
     {{"N1", "T1", {{"A", 79'000, 100'000, -30}}}},
     "D1~N1 trace_number; N1~A claim_identifier: service_date_differs",
     "D1 partly_matched; A pending; match_ambiguous about N1"},
    {"the number twice, the date tells",
     {{"A"}},
     {{"D1", 130'000, "T1"}},
     {{"N1", "T1", {{"A", 51'000, 100'000, -30}, {"A", 79'000, 100'000, 0}}}},
     "D1~N1 trace_number; N1~A claim_identifier; N1~A claim_identifier: service_date_differs",
     "D1 matched; A settled by trace_number"},
    {"the number twice, the charge tells",
     {{"A"}},
     {{"D1", 84'000, "T1"}},
     {{"N1", "T1", {{"A", 79'000}, {"A", 5'000, 7'000}}}},
     "D1~N1 trace_number; N1~A claim_identifier; N1~A claim_identifier: charge_differs",
     "D1 matched; A settled by trace_number"},
    {"the number twice, nothing tells",
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
    {"the number in a secondary payer's notice",
     {{"A"}},
     {{"D1", 4'000, "T1", 0, "OTHER"}},
     {{"N1", "T1", {{"A", 4'000}}, 0, "OTHER"}},
     "D1~N1 trace_number; N1~A claim_identifier: payer_differs",
     "D1 partly_matched; A pending; match_ambiguous about N1"},
    {"a claim that nobody advanced",
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
    {"a number on the notice alone",
     {{"A"}},
     {{"D1", 79'000, ""}},
     {{"N1", "T1", {{"A", 79'000}}}},
     "D1~N1 amount_and_date; N1~A claim_identifier",
     "D1 matched; A settled by amount_and_date"},
    {"a number on the money alone",
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
    {"two notices of one amount",
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
    {"money alone that one advance expects",
     {{"A"}, {"B", 200'000}},
     {{"D1", 80'000, ""}},
     {},
     "D1~A amount_and_date",
     "D1 matched; A settled by amount_and_date; B pending"},
    {"money alone that two advances expect",
     {{"A"}, {"B"}},
     {{"D1", 80'000, ""}},
     {},
     "D1~A amount_and_date: several_fit; D1~B amount_and_date: several_fit",
     "D1 unmatched; A pending; B pending; deposit_unmatched about D1"},
    {"money alone, half a year late",
     {{"A"}},
     {{"D1", 80'000, "", 180}},
     {},
     "D1~A amount_and_date: date_outside_window",
     "D1 unmatched; A pending; deposit_unmatched about D1"},
    {"money alone, and a notice that only confirms it",
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
    {"one deposit, many notices of its number",
     {{"A"}, {"B"}},
     {{"D1", 159'000, "T1"}},
     {{"N1", "T1", {{"A", 79'000}}}, {"N2", "T1", {{"B", 80'000}}}},
     "D1~N1 one_to_many; D1~N1 trace_number: amount_differs; D1~N2 one_to_many; D1~N2 trace_number: amount_differs; "
     "N1~A claim_identifier; N2~B claim_identifier",
     "D1 matched; A settled by one_to_many; B settled by one_to_many; trace_reused about N2"},
    {"one deposit, many notices that do not add up to it",
     {{"A"}, {"B"}},
     {{"D1", 159'001, "T1"}},
     {{"N1", "T1", {{"A", 79'000}}}, {"N2", "T1", {{"B", 80'000}}}},
     "D1~N1 trace_number: amount_differs; D1~N2 trace_number: amount_differs; N1~A claim_identifier; N2~B "
     "claim_identifier",
     "D1 unmatched; A pending; B pending; deposit_unmatched about D1; trace_reused about N2",
     nullptr,
     "D1 unmatched; A pending; B pending; trace_reused about N2; deposit_unmatched about D1"},
    {"a part that spends more than it announces",
     {{"A"}, {"B"}},
     {{"D1", 150'000, "T1"}},
     {{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", 9'000}, {"N2", "T1", {{"B", 80'000}}}},
     "D1~N1 one_to_many; D1~N1 trace_number: amount_differs; D1~N2 one_to_many; D1~N2 trace_number: amount_differs; "
     "N1~A claim_identifier; N2~B claim_identifier",
     "D1 partly_matched; A pending; B settled by one_to_many; trace_reused about N2; match_ambiguous about N1"},
};

struct Order {
  bool money_first;
  const char* name;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(match_ladder)

BOOST_AUTO_TEST_CASE(every_case_ends_as_the_table_says_in_both_orders_of_arrival) {
  for (const auto& row : kCases)
    for (const auto& order : {Order{true, "money first"}, Order{false, "notices first"}}) {
      BOOST_TEST_CONTEXT(row.what << ", " << order.name) {
        LadderWorld world;
        for (const auto& advance : row.advances) world.fund(advance);
        if (order.money_first)
          for (const auto& money : row.money) world.arrives(money);
        for (const auto& notice : row.notices) world.arrives(notice);
        if (!order.money_first)
          for (const auto& money : row.money) world.arrives(money);
        const bool other = !order.money_first;
        BOOST_TEST(world.pairs() == (other && row.other_pairs ? row.other_pairs : row.pairs));
        BOOST_TEST(world.ends() == (other && row.other_ends ? row.other_ends : row.ends));
        world.teardown();
      }
    }
}

BOOST_FIXTURE_TEST_CASE(a_takeback_that_is_not_booked_pays_for_nothing, LadderWorld) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Cash{"D1", 60'000, "T1"});
  arrives(tests::Notice{"N1", "T1", {{"A", 60'000}}});
  arrives(tests::Notice{
      "N2", "", {{"A", -60'000, 100'000, std::nullopt, "25"}, {"B", 60'000}}});  // 25: not simply processed
  BOOST_TEST(balance("suspense_unmatched") == domain::Money{});
  BOOST_TEST(ends() == "D1 matched; A settled_short by trace_number; B pending; match_ambiguous about N2");
}

BOOST_FIXTURE_TEST_CASE(a_notice_of_another_month_does_not_confirm_money_that_only_looked_alike, LadderWorld) {
  fund({"A"});
  arrives(tests::Cash{"D1", 80'000, ""});
  BOOST_TEST(ends() == "D1 matched; A settled by amount_and_date");
  arrives(tests::Notice{"N1", "T9", {{"A", 80'000}}, 40});
  arrives(tests::Cash{"D2", 80'000, "T9", 40});
  BOOST_TEST(ends() == "D1 matched; D2 partly_matched; A settled by amount_and_date; match_ambiguous about N1");
}

BOOST_FIXTURE_TEST_CASE(a_reversal_undoes_its_charge_whichever_sign_the_payer_gives_it, LadderWorld) {
  fund({"A", 100'000, "PAYER", {"99213", "87880"}});
  const auto half = [](std::int64_t paid, const char* status) {
    return tests::PaidClaim{"A", paid, 50'000, std::nullopt, status, "", "99213"};
  };
  arrives(tests::Cash{"D1", 20'000, "T1"});
  arrives(tests::Notice{"N1", "T1", {half(20'000, "1")}});
  BOOST_TEST(ends() == "D1 matched; A partial by trace_number");
  arrives(tests::Notice{"N2", "", {half(-20'000, "22"), half(20'000, "1")}});
  BOOST_TEST(ends() == "D1 matched; A partial by claim_identifier");  // the other half is still to come
  BOOST_TEST(balance("loss_on_receivable") == domain::Money{});
}

BOOST_FIXTURE_TEST_CASE(what_another_node_posts_stands_behind_what_was_posted_whatever_its_clock_reads, LadderWorld) {
  fund({"A", 100'000, "PAYER", {"99213", "87880"}});
  const auto half = [](std::int64_t paid, const char* line) {
    return tests::PaidClaim{"A", paid, 50'000, std::nullopt, "1", "", line};
  };
  ids.count_on_from(1'000'000);
  arrives(tests::Cash{"D1", 40'000, "T1"});
  arrives(tests::Notice{"N1", "T1", {half(40'000, "99213")}});
  ids.count_on_from(500'000);
  arrives(tests::Cash{"D2", 39'000, "T2"});
  arrives(tests::Notice{"N2", "T2", {half(39'000, "87880")}});
  BOOST_TEST(postings() == "A 400.00 partial, 390.00 settled");
  BOOST_TEST(ends() == "D1 matched; D2 matched; A settled by trace_number");
}

BOOST_FIXTURE_TEST_CASE(a_hundred_notices_of_another_month_do_not_hide_the_one_that_fits, LadderWorld) {
  fund({"A"});
  for (int i = 0; i < 100; ++i)
    arrives(tests::Notice{"X" + std::to_string(i), "", {{"X" + std::to_string(i), 79'000}}, -60});
  arrives(tests::Notice{"N1", "", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, ""});
  BOOST_TEST(ends() == "D1 matched; A settled by amount_and_date");
}

BOOST_FIXTURE_TEST_CASE(a_hundred_notices_of_one_number_do_not_hide_the_one_that_fits, LadderWorld) {
  fund({"A"});
  for (int i = 0; i < 100; ++i)
    arrives(tests::Notice{"X" + std::to_string(i), "T1", {{"X" + std::to_string(i), 100 + i}}});
  arrives(tests::Notice{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  BOOST_TEST(reconciliation(settlements["A"]).matched_by == "trace_number");
}

/// Processor time of posting a remittance of so many claims of one number, which the payer's own numbers lead to as
/// many of ours.
double seconds_of_namesakes(int claims, const std::vector<std::string>& ours) {
  LadderWorld world;
  for (const auto& claim : ours) world.fund({claim});
  tests::Notice notice{"N1", "T1", {}};
  for (int i = 0; i < claims; ++i)
    notice.claims.push_back({ours.size() == 1 ? ours.front() : "NAMESAKE", 1, 100'000, std::nullopt, "1",
                             ours[static_cast<std::size_t>(i) % ours.size()]});
  world.arrives(tests::Cash{"D1", claims, "T1"});
  const auto began = std::clock();
  world.arrives(notice);
  return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}

BOOST_AUTO_TEST_CASE(namesakes_are_summed_once) {
  for (const auto& ours : {std::vector<std::string>{"A"}, std::vector<std::string>{"A", "B"}}) {
    const double few = seconds_of_namesakes(1'000, ours), many = seconds_of_namesakes(8'000, ours);
    BOOST_TEST(many < 20 * few,
               "8 times as many took " << many / few << " times as long");  // 64 times where each looks at each
  }
}

BOOST_AUTO_TEST_CASE(a_search_that_found_nobody_says_so) {
  LadderWorld world;
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

BOOST_AUTO_TEST_CASE(a_settlement_s_trail_shows_its_notice_its_money_and_who_was_passed_over) {
  LadderWorld world;
  world.fund({"A"});
  world.arrives(tests::Cash{"D1", 70'000, "T1"});
  world.arrives(tests::Notice{"N1", "T1", {{"A", 79'000}}});
  world.arrives(tests::Cash{"D2", 79'000, "T1"});
  const auto trail = world.seen([&](const ports::Records& records) {
    return usecases::trail_of(records, world.caller.tenant, world.settlements["A"]);
  });
  std::vector<std::string> lines;
  for (const auto& seen : trail)
    if (!seen.candidate.empty())
      lines.push_back(world.names[seen.subject] + ' ' + world.names[seen.candidate] + ' ' +
                      std::string(name_of(seen.verdict)));
  BOOST_TEST(LadderWorld::joined(lines) == "N1 D1 rejected; N1 A taken; D2 N1 taken");
}

BOOST_FIXTURE_TEST_CASE(an_advance_that_waits_to_be_sent_is_not_sent_once_its_claim_is_denied, LadderWorld) {
  const auto terms = terms_of({"A"});
  journal.disk_full = true;
  journal.ready_checks_disk = false;
  BOOST_TEST(tests::refusal_of(try_confirm(terms)) == domain::ErrorCode::service_unavailable);
  journal.disk_full = false;
  arrives(tests::Notice{"N1", "T1", {{"A", 0, 100'000, std::nullopt, "4"}}});
  BOOST_TEST((claim_status("A").status == domain::ClaimStatus::denied));
  clock.advance_s(3601);
  resolve();
  BOOST_TEST(same_day.calls().empty());
  BOOST_TEST((attempt(terms).state == domain::AttemptState::rejected));
  BOOST_TEST(attempt(terms).reason_code == "claim_decided");
}

BOOST_FIXTURE_TEST_CASE(a_claim_that_its_payer_decided_on_before_it_was_known_here_is_not_advanced, LadderWorld) {
  const auto refusal = [&](const std::string& claim) {
    const auto made = try_adjudicate(review(draft(claim)).authorization_id.text());
    return made ? "" : made.error().message;
  };
  arrives(tests::Notice{"N1",
                        "T1",
                        {{"A", 79'000},
                         {"B", 79'000, 90'000},
                         {"C", 0, 100'000, std::nullopt, "4"},
                         {"D", 79'000},
                         {"F", 0, 100'000, std::nullopt, "23"}}});
  arrives(tests::Notice{"N2", "T2", {{"E", 10'000}}, 0, "PAYER", "", 0, "ACH", 500});  // does not add up: held
  arrives(tests::Notice{"N3", "T3", {{"D", 81'000}, {"D", -79'000, 100'000, std::nullopt, "22"}}});
  // A takeback, although its status is not that of a reversal.
  arrives(tests::Notice{"N4", "T4", {{"G", -79'000, -100'000}}, 0, "PAYER", "", -79'000});
  BOOST_TEST(refusal("A") == "A claim that is paid cannot be advanced.");
  BOOST_TEST((claim_status("A").status == domain::ClaimStatus::paid));
  BOOST_TEST((claim_status("A").source == domain::StatusSource::payer));
  BOOST_TEST(events("claim.status_changed") == 1);
  BOOST_TEST(audit_rows("invalid_state") == 1);
  BOOST_TEST(refusal("A") == "A claim that is paid cannot be advanced.");  // and its status is not moved again
  BOOST_TEST(events("claim.status_changed") == 1);
  BOOST_TEST(refusal("B") == "");  // another claim of this number: it charges less
  BOOST_TEST(refusal("C") == "A claim that is denied cannot be advanced.");
  BOOST_TEST(refusal("D") == "A claim that is paid cannot be advanced.");
  BOOST_TEST(refusal("E") == "");
  BOOST_TEST(refusal("F") == "");
  BOOST_TEST(refusal("G") == "A claim that is reversed cannot be advanced.");
}

BOOST_AUTO_TEST_SUITE_END()
