// Outcome of a remittance claim (835): the truth table.
#include "core/estimators/basics/label.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/fakes/printing.hpp"

using namespace tideover;
using namespace tideover::estimators;
using domain::Money;

namespace {

domain::RemittanceLine remitted(std::int64_t charge, std::int64_t paid, std::vector<domain::Adjustment> adjustments,
                                std::optional<std::int64_t> allowed = std::nullopt) {
  domain::RemittanceLine line;
  line.cpt = "99213";
  line.units = "1";
  line.charge_amount = Money::cents(charge);
  line.paid_amount = Money::cents(paid);
  if (allowed) line.allowed_amount = Money::cents(*allowed);
  line.adjustments = std::move(adjustments);
  return line;
}

domain::Adjustment adjusted(const char* group, const char* code, std::int64_t cents) {
  return {group, code, Money::cents(cents)};
}

domain::RemittanceClaim answer(const char* status, std::vector<domain::RemittanceLine> lines) {
  domain::RemittanceClaim claim;
  claim.status = status;
  for (const auto& line : lines) {
    claim.charge_amount += line.charge_amount;
    claim.paid_amount += line.paid_amount;
  }
  claim.lines = std::move(lines);
  return claim;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(labels)

BOOST_AUTO_TEST_CASE(a_line_with_a_denial_code_and_without_payment_or_allowed_amount_is_denied) {
  for (const char* group : {"CO", "OA", "PI", "PR"}) {
    const auto label = label_of(answer("1", {remitted(10'000, 0, {adjusted(group, "96", 10'000)})}));
    BOOST_TEST((label.outcome == Outcome::denied_full));
    BOOST_TEST(label.denied());
    BOOST_TEST(label.carc == "96");
    BOOST_TEST((label.group == CarcGroup::coverage));
    BOOST_TEST(label.denied_share_bps == 10'000);
  }
}

BOOST_AUTO_TEST_CASE(contract_patient_share_and_sequestration_adjustments_are_no_denials) {
  for (const char* code : {"1", "2", "3", "45", "42", "253", "23", "44", "59", "131", "24", "237", "144", "94"})
    BOOST_TEST(!is_denial_carc(code), code);
  for (const char* code :
       {"16", "18", "22", "27", "29", "50", "96", "97", "151", "197", "204", "236", "252", "B7", "B15"})
    BOOST_TEST(is_denial_carc(code), code);
  const auto clean = label_of(
      answer("1", {remitted(10'000, 5'800,
                            {adjusted("CO", "45", 2'500), adjusted("PR", "2", 1'582), adjusted("CO", "253", 118)})}));
  BOOST_TEST((clean.outcome == Outcome::paid));
  BOOST_TEST(clean.allowed == Money::cents(7'500));
}

BOOST_AUTO_TEST_CASE(a_deductible_that_takes_all_is_zero_and_not_denied) {
  const auto label =
      label_of(answer("1", {remitted(10'000, 0, {adjusted("CO", "45", 4'000), adjusted("PR", "1", 6'000)})}));
  BOOST_TEST((label.outcome == Outcome::zero));
  BOOST_TEST(!label.denied());
  BOOST_TEST(label.allowed == Money::cents(6'000));
}

BOOST_AUTO_TEST_CASE(status_4_alone_is_no_denial_and_a_denial_needs_no_status_4) {
  BOOST_TEST((label_of(answer("4", {remitted(10'000, 0, {adjusted("PR", "1", 10'000)})})).outcome == Outcome::zero));
  BOOST_TEST(label_of(answer("1", {remitted(10'000, 0, {adjusted("CO", "29", 10'000)})})).denied());
  const auto wordless = label_of(answer("4", {remitted(10'000, 0, {})}));
  BOOST_TEST((wordless.outcome == Outcome::denied_full));
  BOOST_TEST((wordless.group == CarcGroup::other));
}

BOOST_AUTO_TEST_CASE(a_claim_is_denied_if_half_of_its_charge_is_denied) {
  const auto paid = [](std::int64_t charge) {
    return remitted(charge, charge / 2, {adjusted("CO", "45", charge - charge / 2)});
  };
  const auto refused = [](std::int64_t charge) { return remitted(charge, 0, {adjusted("CO", "97", charge)}); };
  const auto half = label_of(answer("1", {paid(5'000), refused(5'000)}));
  BOOST_TEST((half.outcome == Outcome::denied_partial));
  BOOST_TEST(half.denied());
  const auto less = label_of(answer("1", {paid(5'001), refused(4'999)}));
  BOOST_TEST((less.outcome == Outcome::denied_partial));
  BOOST_TEST(!less.denied());
  BOOST_TEST(less.denied_share_bps == 4'999);
  BOOST_TEST(less.lines[1].denied);
  BOOST_TEST(!less.lines[0].denied);
}

BOOST_AUTO_TEST_CASE(an_adjustment_of_the_whole_claim_denies_its_lines) {
  auto claim = answer("4", {remitted(5'000, 0, {}), remitted(3'000, 0, {})});
  claim.adjustments = {adjusted("CO", "29", 8'000)};
  const auto label = label_of(claim);
  BOOST_TEST((label.outcome == Outcome::denied_full));
  BOOST_TEST(label.carc == "29");
  claim.lines.clear();
  BOOST_TEST((label_of(claim).group == CarcGroup::timely));
}

BOOST_AUTO_TEST_CASE(the_claims_denial_covers_the_rest_of_an_adjusted_line) {
  for (const char* status : {"1", "4"}) {
    auto claim = answer(status, {remitted(10'000, 0, {adjusted("CO", "45", 2'000)})});
    claim.adjustments = {adjusted("CO", "29", 8'000)};
    const auto label = label_of(claim);
    BOOST_TEST((label.outcome == Outcome::denied_full));
    BOOST_TEST(label.carc == "29");
    BOOST_TEST((label.group == CarcGroup::timely));
    BOOST_TEST(label.lines[0].carc == "29");
    claim.lines[0].adjustments = {adjusted("CO", "97", 10'000)};
    BOOST_TEST(label_of(claim).carc == "97");  // its own refusal comes first
  }
}

BOOST_AUTO_TEST_CASE(the_claims_denial_does_not_deny_a_line_that_is_paid_allowed_or_adjusted_in_full) {
  const auto outcome = [](std::vector<domain::RemittanceLine> lines) {
    auto claim = answer("1", std::move(lines));
    claim.adjustments = {adjusted("CO", "16", 20'000)};
    return label_of(claim).outcome;
  };
  BOOST_TEST((outcome({remitted(10'000, 5'000, {adjusted("CO", "45", 2'000)})}) == Outcome::paid));
  BOOST_TEST(
      (outcome({remitted(10'000, 0, {adjusted("CO", "45", 2'000), adjusted("PR", "1", 6'000)})}) == Outcome::zero));
  BOOST_TEST((outcome({remitted(10'000, 0, {adjusted("CO", "45", 2'000)}, 6'000)}) == Outcome::zero));
  BOOST_TEST((outcome({remitted(10'000, 0, {adjusted("CO", "24", 10'000)})}) == Outcome::zero));
  BOOST_TEST((outcome({remitted(10'000, 5'000, {adjusted("CO", "45", 5'000)}),
                       remitted(10'000, 0, {adjusted("CO", "45", 2'000)})}) == Outcome::denied_partial));
}

BOOST_AUTO_TEST_CASE(a_claim_denied_as_a_whole_has_the_reason_of_its_own_adjustments) {
  auto claim = answer("4", {remitted(10'000, 0, {adjusted("CO", "45", 10'000)})});
  claim.adjustments = {adjusted("CO", "29", 10'000)};
  const auto label = label_of(claim);
  BOOST_TEST((label.outcome == Outcome::denied_full));
  BOOST_TEST(label.carc == "29");
  BOOST_TEST((label.group == CarcGroup::timely));
}

BOOST_AUTO_TEST_CASE(an_allowed_amount_on_a_denied_line_does_not_make_it_paid) {
  BOOST_TEST(label_of(answer("1", {remitted(10'000, 0, {adjusted("CO", "50", 10'000)}, 6'000)})).denied());
  BOOST_TEST(!label_of(answer("1", {remitted(10'000, 500, {adjusted("CO", "97", 9'500)}, 0)}))
                  .denied());  // something was paid
  // A zero payment with an allowed amount and a small reduction is no denial.
  BOOST_TEST(!label_of(answer("1", {remitted(10'000, 0,
                                             {adjusted("CO", "45", 4'000), adjusted("PR", "1", 5'900),
                                              adjusted("CO", "97", 100)},
                                             5'900)}))
                  .denied());
}

BOOST_AUTO_TEST_CASE(reversals_predeterminations_and_forwarded_claims_have_their_own_labels) {
  BOOST_TEST((label_of(answer("22", {remitted(-10'000, -5'000, {adjusted("CO", "45", -5'000)})})).outcome ==
              Outcome::reversal));
  BOOST_TEST(
      (label_of(answer("25", {remitted(10'000, 0, {adjusted("CO", "101", 10'000)})})).outcome == Outcome::ignored));
  const auto forwarded = label_of(answer("23", {remitted(10'000, 0, {})}));
  BOOST_TEST(forwarded.denied());
  BOOST_TEST(forwarded.carc == "109");
}

BOOST_AUTO_TEST_CASE(a_negative_response_that_is_no_reversal_is_ignored) {
  for (const std::optional<std::int64_t> allowed : {std::optional<std::int64_t>(), {0}, {-1}, {100}}) {
    auto claim = answer("1", {remitted(-1, -1, {}, allowed)});
    claim.charge_amount = Money::cents(10'000);
    claim.paid_amount = {};
    BOOST_TEST((label_of(claim).outcome == Outcome::ignored));
  }
  auto whole = answer("1", {});
  whole.charge_amount = Money::cents(-10'000);
  BOOST_TEST((label_of(whole).outcome == Outcome::ignored));
  whole.paid_amount = Money::cents(-8'000);
  BOOST_TEST((label_of(whole).outcome == Outcome::reversal));
}

BOOST_AUTO_TEST_CASE(a_status_without_a_decision_is_ignored) {
  for (const char* status : {"5", "10", "13", "17", "27", ""})
    BOOST_TEST(
        (label_of(answer(status, {remitted(10'000, 0, {adjusted("CO", "29", 10'000)})})).outcome == Outcome::ignored),
        status);
}

BOOST_AUTO_TEST_CASE(the_denied_share_does_not_overflow_at_large_charges) {
  constexpr std::int64_t kLargest = 9'999'999'999;
  std::vector<domain::RemittanceLine> lines;
  for (std::size_t i = 0; i < domain::kMaxClaimLines; ++i)
    lines.push_back(i % 2 ? remitted(kLargest, kLargest, {}) : remitted(kLargest, 0, {adjusted("CO", "29", kLargest)}));
  const auto label = label_of(answer("1", lines));
  BOOST_TEST(label.denied_share_bps >= 5'000);
  BOOST_TEST(label.denied_share_bps <= 5'010);
  BOOST_TEST(label_of(answer("1", {remitted(0, 0, {adjusted("CO", "29", 1)}), remitted(0, 0, {})})).denied_share_bps ==
             10'000);
}

BOOST_AUTO_TEST_CASE(every_carc_survives_packing) {
  for (const char* code : {"1", "18", "253", "A1", "B7", "B15", "P14", "W9", "Y3"})
    BOOST_TEST(unpacked_carc(packed_carc(code)) == code);
  BOOST_TEST(packed_carc("") == 0);
  BOOST_TEST(packed_carc("M??") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
