// Which advance a line of a remittance belongs to, as a table (situation_world.hpp explains its columns): practice,
// parts, corrections and the payer's own number.
#include "tests/usecases/matching/situation_world.hpp"

using namespace tideover;
using tests::Advance;
using tests::back;
using tests::Cash;
using tests::PaidClaim;
using tests::pays;
using tests::Remittance;
using tests::Situation;

namespace {

constexpr const char *kPractice = "1234567893", *kOther = "1234567802", *kPlatform = "1234567828";

Advance of(const char* number, const char* npi) {
  return {number, 100'000, "PAYER", {}, npi};
}
Remittance to(const char* payee, Remittance remittance) {
  remittance.payee = payee;
  return remittance;
}
PaidClaim part(std::int64_t paid, std::int64_t charge) {
  return {"A", paid, charge};
}

const std::vector<Situation> kIdentities{
    {"the practice decides between two numbers of one form",
     {of("0071", kPractice), of("071", kOther)},
     {Cash{"D1", 79'000, "T1"}, to(kOther, pays("N1", "T1", {{"71", 79'000}}))},
     "N1 balanced",
     "0071 -; 071 790.00 settled",
     "fee_income -12.80; provider_payable -137.20; receivable 0071 640.00",
     "D1 matched"},
    {"a billing platform is no practice",
     {of("0071", kPractice), of("071", kOther)},
     {Cash{"D1", 79'000, "T1"}, to(kPlatform, pays("N1", "T1", {{"71", 79'000}}))},
     "N1 balanced",
     "0071 -; 071 -",
     "receivable 0071 640.00; receivable 071 640.00; suspense_unmatched -790.00",
     "D1 partly_matched; match_ambiguous about N1"},
    {"another practice is paid",
     {of("A", kPractice), of("B", kOther)},
     {Cash{"D1", 79'000, "T1"}, to(kOther, pays("N1", "T1", {{"A", 79'000}}))},
     "N1 balanced",
     "A -; B -",
     "receivable A 640.00; receivable B 640.00; suspense_unmatched -790.00",
     "D1 partly_matched; match_ambiguous about N1"},
    {"two parts",
     {{"A"}},
     {Cash{"D1", 30'000, "T1"}, pays("N1", "T1", {part(30'000, 40'000)}), Cash{"D2", 49'000, "T2"},
      pays("N2", "T2", {part(49'000, 60'000)})},
     "N1 balanced; N2 balanced",
     "A 300.00 partial, 490.00 settled",
     "fee_income -12.80; provider_payable -137.20",
     "D1 matched; D2 matched"},
    {"a part of more than is left",
     {{"A"}},
     {Cash{"D1", 30'000, "T1"}, pays("N1", "T1", {part(30'000, 60'000)}), Cash{"D2", 39'000, "T2"},
      pays("N2", "T2", {part(39'000, 60'000)})},
     "N1 balanced; N2 balanced",
     "A 300.00 partial",
     "receivable A 340.00; suspense_unmatched -390.00",
     "D1 matched; D2 partly_matched; match_ambiguous about N2"},
    {"a greater charge",
     {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {part(79'000, 110'000)})},
     "N1 balanced",
     "A -",
     "receivable A 640.00; suspense_unmatched -790.00",
     "D1 partly_matched; match_ambiguous about N1"},
    {"a greater charge beside the reversal",
     {{"A"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000}}), Cash{"D2", 2'000, "T2"},
      pays("N2", "T2", {part(81'000, 110'000), back("A", 79'000)})},
     "N1 balanced; N2 balanced",
     "A 790.00 settled, -790.00 reversed, 810.00 settled_over",
     "fee_income -12.80; provider_payable -157.20",
     "D1 matched; D2 matched"},
    {"the payer's number of an earlier line",
     {{"A"}},
     {Cash{"D1", 30'000, "T1"}, pays("N1", "T1", {{"A", 30'000, 40'000, std::nullopt, "1", "ICN-7"}}),
      Cash{"D2", 49'000, "T2"}, pays("N2", "T2", {{"0", 49'000, 60'000, std::nullopt, "1", "icn7"}})},
     "N1 balanced; N2 balanced",
     "A 300.00 partial, 490.00 settled",
     "fee_income -12.80; provider_payable -137.20",
     "D1 matched; D2 matched"},
    {"the payer's number is the number of another claim",
     {{"A"}, {"B"}},
     {Cash{"D1", 79'000, "T1"}, pays("N1", "T1", {{"A", 79'000, 100'000, std::nullopt, "1", "B"}})},
     "N1 balanced",
     "A 790.00 settled; B -",
     "fee_income -12.80; provider_payable -137.20; receivable B 640.00",
     "D1 matched"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(identity)

BOOST_AUTO_TEST_CASE(every_line_belongs_to_the_advance_that_its_row_says) {
  tests::check_situations(kIdentities);
}

BOOST_AUTO_TEST_SUITE_END()
