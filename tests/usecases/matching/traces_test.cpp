// Trace numbers of deposits and remittances as a table (situation_world.hpp explains its columns): their normal form,
// addenda, several deposits of one remittance, reuse and repeats.
#include "tests/usecases/matching/situation_world.hpp"

using namespace tideover;
using tests::Cash;
using tests::pays;
using tests::Remittance;
using tests::Situation;

namespace {

const char* const kPaid = "fee_income -12.80; provider_payable -137.20";

const std::vector<Situation> kTraces{
    {"zeros, case and blanks are lost",
     {{"A"}},
     {Cash{"D1", 79'000, "4711 a"}, pays("N1", "0004711A", {{"A", 79'000}})},
     "N1 balanced",
     "A 790.00 settled",
     kPaid,
     "D1 matched"},
    {"two deposits with the trace number",
     {{"A"}},
     {Cash{"D1", 50'000, "T1"}, Cash{"D2", 29'000, "t1", 1}, pays("N1", "T1", {{"A", 79'000}})},
     "N1 balanced",
     "A 790.00 settled",
     kPaid,
     "D1 matched; D2 matched"},
    {"two deposits with the trace number, after the remittance",
     {{"A"}},
     {pays("N1", "T1", {{"A", 79'000}}), Cash{"D1", 50'000, "T1"}, Cash{"D2", 29'000, "T1", 1}},
     "N1 balanced",
     "A 790.00 settled",
     kPaid,
     "D1 matched; D2 matched"},
    {"a third deposit has the trace number",
     {{"A"}},
     {Cash{"D1", 50'000, "T1"}, Cash{"D2", 29'000, "T1", 1}, Cash{"D3", 1'000, "T1"},
      pays("N1", "T1", {{"A", 79'000}})},
     "N1 balanced",
     "A -",
     "receivable A 640.00; suspense_unmatched -800.00",
     "D1 unmatched; D2 unmatched; D3 unmatched; deposit_unmatched about D1; deposit_unmatched about D2; "
     "deposit_unmatched about D3; match_ambiguous about N1"},
    {"the number of an older, paid remittance",
     {{"A"}, {"B"}},
     {Cash{"D1", 79'000, "T1", -90}, Remittance{"N1", "T1", {{"A", 79'000}}, -90}, Cash{"D2", 79'000, "T1"},
      pays("N2", "T1", {{"B", 79'000}})},
     "N1 balanced; N2 balanced",
     "A 790.00 settled; B 790.00 settled",
     "fee_income -25.60; provider_payable -274.40",
     "D1 matched; D2 matched"},
    {"a repeat under another payer id",
     {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}),
      Remittance{"N1", "0t1", {{"A", 79'000}}, 0, "OTHER", "1999999999"}},
     "N1 balanced",
     "A 790.00 settled",
     kPaid,
     "D1 matched"},
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(traces, tests::SituationWorld)

BOOST_AUTO_TEST_CASE(every_trace_number_matches_as_its_row_says) {
  tests::check_situations(kTraces);
}

BOOST_AUTO_TEST_CASE(the_addenda_of_a_deposit_give_its_trace_number_and_originator) {
  fund({"A"});
  arrives(pays("N1", "T1", {{"A", 79'000}}));
  arrives(Cash{"D1", 79'000, "", 0, ""}, "TRN*1*000T1*1512345678~");
  BOOST_TEST(ends() == "D1 matched; A settled by trace_number");
  const auto deposit =
      seen([&](const ports::Records& records) { return records.deposits().find(caller.tenant, deposits.at("D1")); });
  BOOST_TEST(deposit->trace_number == "000T1");
  BOOST_TEST(deposit->originator == "1512345678");
}

BOOST_AUTO_TEST_CASE(a_trace_number_beside_the_addenda_counts) {
  fund({"A"});
  arrives(pays("N1", "T1", {{"A", 79'000}}));
  arrives(Cash{"D1", 79'000, "T2"}, "TRN*1*T1*1512345678~");
  BOOST_TEST(ends() == "D1 unmatched; A pending");
}

BOOST_AUTO_TEST_SUITE_END()
