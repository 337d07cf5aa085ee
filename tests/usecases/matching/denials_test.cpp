// Denials as a table (situation_world.hpp explains its columns): a payment of nothing whose reasons refuse the whole
// claim, and denials after a payment.
#include "tests/usecases/matching/situation_world.hpp"

using namespace tideover;
using tests::back;
using tests::Cash;
using tests::denied;
using tests::PaidClaim;
using tests::pays;
using tests::Situation;

namespace {

PaidClaim refused(const char* group, const char* code, std::int64_t charge = 100'000, const char* status = "1") {
  PaidClaim claim{"A", 0, charge, std::nullopt, status};
  claim.adjustments = {{group, code, domain::Money::cents(charge)}};
  return claim;
}

const std::vector<Situation> kDenials{
    {"too late (CO-29)",
     {{"A"}},
     {pays("N1", "", {refused("CO", "29")})},
     "N1 balanced",
     "A 0.00 denied",
     "loss_on_receivable 640.00",
     ""},
    {"a deductible that leaves nothing",
     {{"A"}},
     {pays("N1", "", {refused("PR", "1")})},
     "N1 balanced",
     "A 0.00 settled_short",
     "loss_on_receivable 640.00",
     ""},
    {"refused as a repeat after the payment",
     {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "", {refused("OA", "18")})},
     "N1 balanced; N2 balanced",
     "A 790.00 settled",
     "fee_income -12.80; provider_payable -137.20",
     "D1 matched"},
    {"refused as a repeat before the payment",
     {{"A"}},
     {pays("N2", "", {refused("OA", "18")}), pays("N1", "T1", {{"A", 79'000}}), Cash{"D1", 79'000, "T1"}},
     "N1 balanced; N2 balanced",
     "A 0.00 denied, 790.00 settled",
     "fee_income -12.80; provider_payable -137.20",
     "D1 matched"},
    {"refused as a repeat beside the payment",
     {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}, refused("CO", "18", 100'000, "4")})},
     "N1 balanced",
     "A 790.00 settled",
     "fee_income -12.80; provider_payable -137.20",
     "D1 matched"},
    {"a paid part is refused as a repeat",
     {{"A", 100'000, "PAYER", {"1", "2"}}},
     {Cash{"D1", 30'000, "T1"}, pays("N1", "T1", {{"A", 30'000, 50'000, std::nullopt, "1", "", "1"}}),
      pays("N2", "", {refused("OA", "18")})},
     "N1 balanced; N2 balanced",
     "A 300.00 partial",
     "receivable A 340.00",
     "D1 matched"},
    {"denied after the whole payment",
     {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), pays("N2", "", {denied("A")})},
     "N1 balanced; N2 balanced",
     "A 790.00 settled",
     "fee_income -12.80; provider_payable -137.20",
     "D1 matched"},
    {"denied after a part was paid",
     {{"A", 100'000, "PAYER", {"1", "2"}}},
     {Cash{"D1", 30'000, "T1"}, pays("N1", "T1", {{"A", 30'000, 50'000, std::nullopt, "1", "", "1"}}),
      pays("N2", "", {denied("A")})},
     "N1 balanced; N2 balanced",
     "A 300.00 partial",
     "receivable A 340.00",
     "D1 matched"},
    {"paid for one part, denied for the other",
     {{"A", 100'000, "PAYER", {"1", "2"}}},
     {Cash{"D1", 30'000, "T1"}, pays("N1", "T1", {{"A", 30'000, 50'000, std::nullopt, "1", "", "1"}}),
      pays("N2", "", {{"A", 0, 50'000, std::nullopt, "4", "", "2"}})},
     "N1 balanced; N2 balanced",
     "A 300.00 partial, 0.00 settled_short",
     "loss_on_receivable 340.00",
     "D1 matched"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(denials)

BOOST_AUTO_TEST_CASE(every_denial_ends_as_its_row_says) {
  tests::check_situations(kDenials);
}

BOOST_FIXTURE_TEST_CASE(a_denial_after_the_payment_does_not_change_the_status_of_the_claim, tests::SituationWorld) {
  fund({"A"});
  arrives(Cash{"D1", 79'000, "T1"});
  arrives(pays("N1", "T1", {{"A", 79'000}}));
  for (const auto& late : {refused("OA", "18"), denied("A")}) {
    arrives(pays(late.status == "4" ? "N3" : "N2", "", {late}));
    BOOST_TEST((claim_status("A").status == domain::ClaimStatus::paid));
  }
  arrives(pays("N4", "", {back("A", 79'000)}));
  BOOST_TEST((claim_status("A").status == domain::ClaimStatus::reversed));
}

BOOST_AUTO_TEST_SUITE_END()
