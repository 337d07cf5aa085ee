// Medicare's fee and what modifiers and companion lines make of it. Amounts were worked out by hand.
#include "core/domain/reviews/medicare_fee.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace tideover::domain;

namespace {

constexpr std::int64_t kFactor = 32'346'500;  // 2025

constexpr std::int64_t rvu(int hundredths) {
  return hundredths * 10'000LL;
}

/// A line worth `cents` under a conversion factor of one: all of it practice expense.
MedicareLine worth(int cents, const std::string& modifiers = "", char multiple = '0') {
  MedicareLine line;
  line.values.practice = rvu(cents);
  line.modifiers = modifiers;
  line.indicators.multiple = multiple;
  return line;
}

std::vector<std::int64_t> fees(const std::vector<MedicareLine>& lines, MedicareTerms terms = {}) {
  terms.conversion_factor = kOneInMillionths;
  std::vector<std::int64_t> cents;
  for (const auto fee : medicare_fees(lines, terms)) cents.push_back(fee.cents());
  return cents;
}

using Cents = std::vector<std::int64_t>;

}  // namespace

BOOST_AUTO_TEST_SUITE(medicare_fee_unit)

BOOST_AUTO_TEST_CASE(the_fee_is_each_part_by_its_index_times_the_factor) {
  const RelativeValues visit{rvu(130), rvu(135), rvu(10)};
  BOOST_TEST(medicare_fee(visit, {}, kFactor).cents() == 88'95);  // 2.75 x 32.3465 = 88.952875
  // (1.30 x 1.5 + 1.35 x 1.081 + 0.10 x 0.592) x 32.3465 = 112.195452...
  BOOST_TEST(medicare_fee(visit, {1'500'000, 1'081'000, 592'000}, kFactor).cents() == 112'20);
  BOOST_TEST(medicare_fee({0, 5'000, 0}, {}, kOneInMillionths).cents() == 0);  // half a cent goes to the even one
  BOOST_TEST(medicare_fee({0, 15'000, 0}, {}, kOneInMillionths).cents() == 2);
  BOOST_TEST(medicare_fee({0, 4'999, 0}, {}, kOneInMillionths).cents() == 0);
  // What no schedule says is held within what a claim may ask, and nothing overflows.
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  BOOST_TEST((medicare_fee({kMost, kMost, kMost}, {kMost, kMost, kMost}, kMost) == kLargestAmount));
  BOOST_TEST((medicare_fee({-kMost, 0, 0}, {}, kMost) == Money{}));
}

BOOST_AUTO_TEST_CASE(modifiers_take_their_share) {
  auto line = worth(100'00);
  line.indicators.bilateral = '1';
  line.indicators.co_surgeon = '1';
  line.indicators.pre_bps = 1000;
  line.indicators.intra_bps = 7000;
  line.indicators.post_bps = 2000;
  const auto with = [&](const std::string& modifiers) {
    line.modifiers = modifiers;
    return fees({line}).front();
  };
  BOOST_TEST(with("") == 100'00);
  BOOST_TEST(with("50") == 150'00);
  for (const char* assistant : {"80", "81", "82"}) BOOST_TEST(with(assistant) == 16'00);
  BOOST_TEST(with("AS") == 13'60);
  BOOST_TEST(with("62") == 62'50);
  BOOST_TEST(with("54") == 80'00);
  BOOST_TEST(with("55") == 20'00);
  BOOST_TEST(with("56") == 10'00);
  BOOST_TEST(with("78") == 70'00);
  BOOST_TEST(with("RT:50:80") == 24'00);
  line.indicators = {};
  for (const char* without : {"50", "62", "54", "78", "25"}) BOOST_TEST(with(without) == 100'00, without);
  line.indicators.assistant = '1';
  BOOST_TEST(with("80") == 0);
}

BOOST_AUTO_TEST_CASE(of_several_surgeries_the_dearest_is_paid_in_full) {
  BOOST_TEST(fees({worth(60'00, "", '2'), worth(100'00, "", '2'), worth(30'00), worth(80'00, "", '2')}) ==
                 (Cents{30'00, 100'00, 30'00, 40'00}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(of_endoscopies_of_a_family_the_base_is_paid_once) {
  auto first = worth(50'00, "", '3'), second = worth(70'00, "", '3'), other = worth(20'00, "", '3');
  first.endoscopy_base = second.endoscopy_base = "00041";
  first.endoscopy_base_values.practice = second.endoscopy_base_values.practice = rvu(40'00);
  other.endoscopy_base = "00042";
  BOOST_TEST(fees({first, second}) == (Cents{10'00, 70'00}), boost::test_tools::per_element());
  // The family is worth 80.00, the other endoscopy 20.00: half of that.
  BOOST_TEST(fees({first, second, other}) == (Cents{10'00, 70'00, 10'00}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(of_images_the_dearest_is_paid_in_full_and_of_others_most_of_the_reading) {
  auto dear = worth(100'00, "", '4'), cheap = worth(60'00, "", '4');
  cheap.technical.practice = rvu(40'00);
  BOOST_TEST(fees({cheap, dear}) == (Cents{20'00 + 19'00, 100'00}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(of_therapy_every_unit_but_one_has_half_its_practice_expense) {
  auto dear = worth(0, "", '5'), cheap = worth(0, "", '5');
  dear.values = {rvu(20'00), rvu(30'00), 0};
  dear.units_milli = 2000;
  cheap.values = {rvu(10'00), rvu(20'00), 0};
  BOOST_TEST(fees({cheap, dear}) == (Cents{20'00, 50'00 + 35'00}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_shares_of_provider_type_and_participation_apply_to_all_lines) {
  MedicareTerms terms;
  terms.provider_bps = 8500;
  BOOST_TEST(fees({worth(100'00)}, terms) == Cents{85'00}, boost::test_tools::per_element());
  terms.participation_bps = 9500;
  BOOST_TEST(fees({worth(100'00)}, terms) == Cents{80'75}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(units_multiply_the_price_of_one) {
  auto line = worth(10'01);
  line.units_milli = 2500;
  BOOST_TEST(fees({line}) == Cents{25'02}, boost::test_tools::per_element());  // 25.025
}

BOOST_AUTO_TEST_SUITE_END()
