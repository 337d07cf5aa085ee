// Recoveries of forward balances and of advances: the order of arrival does not change the end.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/usecases/matching/situation_world.hpp"

using namespace tideover;
using tests::back;
using tests::Cash;
using tests::pays;
using tests::Situation;

namespace {

constexpr const char* kNorthClinic = "1234567893";
constexpr const char* kSouthClinic = "1234567802";
constexpr const char* kBillingPlatform = "1999999984";

/// A remittance with its money.
struct PaidRemittance {
  tests::Remittance remittance;
  std::optional<Cash> money;
};

/// The end of three arrivals in this order.
std::string end_of(const std::vector<PaidRemittance>& arrivals) {
  tests::SituationWorld world;
  world.fund({"A"});
  world.fund({"B"});
  for (const auto& arrival : arrivals) {
    world.arrives(arrival.remittance);
    if (arrival.money) world.arrives(*arrival.money);
  }
  auto end = world.results() + "; " + world.holdings() + "; " + world.rest();
  world.teardown();
  return end;
}

const std::vector<Situation> kRecoveries{
    {"an unpaid advance is recovered: the remittance posts when the payment comes",
     {{"A"}, {"B"}},
     {pays("N3", "T3", {{"B", 79'000}}, {{"WO", 10'000, "A"}}), Cash{"D3", 69'000, "T3"},
      pays("N1", "T1", {{"A", 79'000}}), Cash{"D1", 79'000, "T1"}},
     "N1 balanced; N3 balanced",
     "A 790.00 settled, -100.00 reversed; B 790.00 settled",
     "fee_income -25.60; provider_payable -174.40",
     "D1 matched; D3 matched"},
    {"a payment and a takeback of one advance in one remittance",
     {{"A"}},
     {pays("N1", "T1", {{"A", 30'000}, back("A", 10'000)}), Cash{"D1", 20'000, "T1"}},
     "N1 balanced",
     "A -100.00 partial, 300.00 partial",
     "receivable A 440.00",
     "D1 matched"},
    {"a balance of several practices under the payee of a billing platform",
     {{"A", 100'000, "PAYER", {}, kNorthClinic},
      {"B", 100'000, "PAYER", {}, kNorthClinic},
      {"C", 100'000, "PAYER", {}, kSouthClinic}},
     {pays("N1", "T1", {{"A", 79'000}, {"C", 79'000}}), Cash{"D1", 158'000, "T1"},
      tests::Remittance{"N2",
                        "T2",
                        {back("A", 79'000), back("C", 79'000)},
                        0,
                        "PAYER",
                        "",
                        0,
                        "ACH",
                        0,
                        {{"FB", -158'000}},
                        kBillingPlatform},
      tests::Remittance{"N3", "T3", {{"B", 79'000}}, 0, "PAYER", "", 0, "ACH", 0, {{"WO", 50'000, "T2"}}, kNorthClinic},
      Cash{"D3", 29'000, "T3"}},
     "N1 balanced; N2 balanced; N3 balanced",
     "A 790.00 settled, -790.00 reversed; B 790.00 settled; C 790.00 settled, -790.00 reversed",
     "carried_balances -1080.00; fee_income -12.80; loss_on_receivable 1280.00; provider_payable -137.20",
     "D1 matched; D3 matched"},
    {"a balance of claims without an advance reaches the recovery that came before it",
     {{"B"}},
     {pays("N3", "T3", {{"B", 79'000}}, {{"WO", 10'000, "T2"}}), Cash{"D3", 69'000, "T3"},
      pays("N2", "T2", {back("STRANGER", 10'000, 120'000)}, {{"FB", -10'000}})},
     "N2 balanced; N3 balanced",
     "B 790.00 settled",
     "fee_income -12.80; provider_payable -37.20",
     "D3 matched"},
    {"a recovery that one balance paid in part uses the balance that comes later",
     {{"B"}},
     {pays("N1", "T1", {back("STRANGER", 4'000, 120'000)}, {{"FB", -4'000}}),
      pays("N3", "T3", {{"B", 79'000}}, {{"WO", 10'000}}), Cash{"D3", 69'000, "T3"},
      pays("N2", "T2", {back("ANOTHER", 10'000, 120'000)}, {{"FB", -10'000}})},
     "N1 balanced; N2 balanced; N3 balanced",
     "B 790.00 settled",
     "carried_balances -40.00; fee_income -12.80; provider_payable 2.80",
     "D3 matched"},
    {"a remittance that carries forward less than it recovers knows what was withheld before",
     {{"A"}, {"B"}, {"C"}},
     {pays("N1", "T1", {{"A", 79'000}}), Cash{"D1", 79'000, "T1"},
      pays("N0", "T0", {back("STRANGER", 15'000, 120'000)}, {{"FB", -15'000}}),
      pays("N3", "T3", {{"B", 79'000}}, {{"WO", 10'000, "A"}}), Cash{"D3", 69'000, "T3"},
      pays("N2", "T2", {back("A", 10'000), {"C", 79'000}}, {{"FB", -10'000}, {"WO", 15'000, "T0"}}),
      Cash{"D2", 64'000, "T2"}},
     "N0 balanced; N1 balanced; N2 balanced; N3 balanced",
     "A 790.00 settled, -100.00 reversed, 0.00 reversed; B 790.00 settled; C 790.00 settled",
     "fee_income -38.40; provider_payable -161.60",
     "D1 matched; D2 matched; D3 matched"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(recoveries)

BOOST_AUTO_TEST_CASE(a_practice_without_advances_keeps_its_balance) {
  tests::SituationWorld world;
  world.fund({"B", 100'000, "PAYER", {}, kNorthClinic});
  auto claim = world.draft("KNOWN", 120'000);
  claim.servicer_npi = claim.billing_npi = kSouthClinic;
  world.review(claim);
  auto takeback = pays("N2", "T2", {back("KNOWN", 10'000, 120'000)}, {{"FB", -10'000}});
  takeback.payee = kSouthClinic;
  world.arrives(takeback);
  auto recovery = pays("N3", "T3", {{"B", 79'000}}, {{"WO", 5'000}});
  recovery.payee = kNorthClinic;
  world.arrives(recovery);
  world.arrives(Cash{"D3", 74'000, "T3"});
  BOOST_TEST(world.holdings() == "carried_balances -100.00; fee_income -12.80; provider_payable 12.80");
  world.teardown();
}

BOOST_AUTO_TEST_CASE(a_balance_of_several_takebacks_ends_alike_in_every_order) {
  const std::vector<PaidRemittance> arrivals{
      {pays("N1", "T1", {{"A", 79'000}}), Cash{"D1", 79'000, "T1"}},
      {pays("N2", "T2", {back("A", 6'000), back("STRANGER", 4'000, 120'000)}, {{"FB", -10'000}}), std::nullopt},
      {pays("N3", "T3", {{"B", 79'000}}, {{"WO", 10'000, "A"}}), Cash{"D3", 69'000, "T3"}}};
  const auto expected = end_of(arrivals);
  BOOST_TEST(expected.find("A 730.00 reversed, charge 0.00") == 0u, expected);
  BOOST_TEST(expected.find("carried_balances") == std::string::npos, expected);
  std::vector<std::size_t> order{0, 1, 2};
  while (std::next_permutation(order.begin(), order.end()))
    BOOST_TEST_CONTEXT("order " << order[0] << order[1] << order[2])
  BOOST_TEST(end_of({arrivals[order[0]], arrivals[order[1]], arrivals[order[2]]}) == expected);
}

BOOST_AUTO_TEST_CASE(recoveries_of_advances) {
  check_situations(kRecoveries);
}

BOOST_AUTO_TEST_CASE(payment_takeback_and_recovery_end_alike_in_every_order) {
  for (const std::int64_t cents : {10'000, 20'000, 30'000, 79'000}) {
    const std::vector<PaidRemittance> arrivals{
        {pays("N1", "T1", {{"A", 79'000}}), Cash{"D1", 79'000, "T1"}},
        {pays("N2", "T2", {back("A", cents)}, {{"FB", -cents}}), std::nullopt},
        {pays("N3", "T3", {{"B", 79'000}}, {{"WO", cents, "A"}}),
         cents == 79'000 ? std::nullopt : std::optional(Cash{"D3", 79'000 - cents, "T3"})}};
    const auto expected = end_of(arrivals);
    BOOST_TEST(
        expected.find("A " + format_money(domain::Money::cents(79'000 - cents)) + " reversed, charge 0.00") == 0u,
        expected);
    BOOST_TEST(expected.find("carried_balances") == std::string::npos, expected);
    std::vector<std::size_t> order{0, 1, 2};
    while (std::next_permutation(order.begin(), order.end())) {
      BOOST_TEST_CONTEXT(cents << " in order " << order[0] << order[1] << order[2])
      BOOST_TEST(end_of({arrivals[order[0]], arrivals[order[1]], arrivals[order[2]]}) == expected);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
