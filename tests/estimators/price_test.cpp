// Remembered prices.
#include "core/estimators/amounts/price.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/fakes/printing.hpp"

using namespace tideover;
using namespace tideover::estimators;
using domain::Money;

namespace {

const int kAutumn = fee_period_of(*domain::parse_date("2025-11-03"));
const int kWinter = fee_period_of(*domain::parse_date("2026-01-15"));

PricedLine line_of(const char* code, std::int64_t charge, std::int64_t units_milli = 1'000,
                   const char* modifiers = "") {
  PricedLine line;
  line.code = key_of(code);
  line.modifiers = pricing_modifiers(modifiers);
  line.charge = charge;
  line.units_milli = units_milli;
  return line;
}

PricedClaim claim_of(std::vector<PricedLine> lines, int period = kAutumn, Key billing = 11, Key payer = 1) {
  PricedClaim claim;
  claim.payer = payer;
  claim.payer_class = PayerClass::commercial;
  claim.billing = billing;
  claim.facility = 5;
  claim.period = period;
  claim.lines = std::move(lines);
  return claim;
}

LinePrice first_price(const Prices& prices, const PricedClaim& claim) {
  std::vector<LinePrice> lines;
  prices.price(claim, lines);
  return lines.at(0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(remembered_prices)

BOOST_AUTO_TEST_CASE(an_allowed_price_is_estimated_to_the_cent) {
  Prices prices(1'000);
  prices.learn(claim_of({line_of("99213", 20'000)}), {9'137});
  const auto estimated = first_price(prices, claim_of({line_of("99213", 25'000)}));
  BOOST_TEST(estimated.allowed == Money::cents(9'137));
  BOOST_TEST((estimated.source == PriceSource::site_price));
}

BOOST_AUTO_TEST_CASE(units_multiply_the_price_and_the_charge_bounds_it) {
  Prices prices(1'000);
  prices.learn(claim_of({line_of("97110", 20'000, 2'000)}), {7'000});
  BOOST_TEST(first_price(prices, claim_of({line_of("97110", 90'000, 3'000)})).allowed == Money::cents(10'500));
  BOOST_TEST(first_price(prices, claim_of({line_of("97110", 3'000, 1'000)})).allowed == Money::cents(3'000));
}

BOOST_AUTO_TEST_CASE(a_charge_that_was_allowed_in_full_does_not_replace_a_price) {
  Prices prices(1'000);
  prices.learn(claim_of({line_of("99213", 20'000)}), {9'137});
  for (int i = 0; i < 5; ++i) prices.learn(claim_of({line_of("99213", 8'000)}), {8'000});
  BOOST_TEST(first_price(prices, claim_of({line_of("99213", 20'000)})).allowed == Money::cents(9'137));
}

BOOST_AUTO_TEST_CASE(another_provider_s_price_applies_until_the_provider_has_one) {
  Prices prices(1'000);
  for (int i = 0; i < 3; ++i) prices.learn(claim_of({line_of("99213", 20'000)}), {9'137});
  BOOST_TEST(first_price(prices, claim_of({line_of("99213", 20'000)}, kAutumn, 12)).allowed == Money::cents(9'137));
  prices.learn(claim_of({line_of("99213", 20'000)}, kAutumn, 12), {9'800});
  BOOST_TEST(first_price(prices, claim_of({line_of("99213", 20'000)}, kAutumn, 12)).allowed == Money::cents(9'800));
}

BOOST_AUTO_TEST_CASE(one_odd_payment_does_not_displace_the_mode_and_a_new_price_does_after_a_few) {
  Prices prices(1'000);
  for (int i = 0; i < 10; ++i) prices.learn(claim_of({line_of("99213", 20'000)}), {9'137});
  prices.learn(claim_of({line_of("99213", 20'000)}), {4'000});
  BOOST_TEST(first_price(prices, claim_of({line_of("99213", 20'000)})).allowed == Money::cents(9'137));
  for (int i = 0; i < 3; ++i) prices.learn(claim_of({line_of("99213", 20'000)}), {9'500});
  BOOST_TEST(first_price(prices, claim_of({line_of("99213", 20'000)})).allowed == Money::cents(9'500));
}

BOOST_AUTO_TEST_CASE(a_new_period_s_step_learned_from_few_procedures_applies_to_the_others) {
  Prices prices(1'000);
  const char* codes[] = {"99211", "99212", "99213", "99214", "99215", "97110"};
  std::int64_t price = 10'000;
  for (const char* code : codes) {
    for (int i = 0; i < 3; ++i) prices.learn(claim_of({line_of(code, 90'000 + 4'000 * i)}), {price});
    price += 1'000;
  }
  BOOST_TEST(first_price(prices, claim_of({line_of("97110", 90'000)}, kWinter)).allowed == Money::cents(15'000));
  prices.learn(claim_of({line_of("99211", 90'000)}, kWinter), {10'300});
  prices.learn(claim_of({line_of("99212", 90'000)}, kWinter), {11'330});
  prices.learn(claim_of({line_of("99213", 90'000)}, kWinter), {12'360});
  const auto estimated = first_price(prices, claim_of({line_of("97110", 90'000)}, kWinter));
  BOOST_TEST(estimated.allowed == Money::cents(15'450));
  BOOST_TEST((estimated.source == PriceSource::site_step));
}

BOOST_AUTO_TEST_CASE(last_year_s_step_is_expected_until_the_first_responses) {
  Prices prices(1'000);
  const int last_winter = kWinter - 4;
  const char* codes[] = {"99211", "99212", "99213", "99214", "99215", "97110"};
  std::int64_t price = 10'000;
  for (const char* code : codes) {
    prices.learn(claim_of({line_of(code, 90'000)}, last_winter - 1), {price});
    prices.learn(claim_of({line_of(code, 90'000)}, last_winter), {price * 103 / 100});
    price += 1'000;
  }
  BOOST_TEST(first_price(prices, claim_of({line_of("97110", 90'000)}, kAutumn)).allowed == Money::cents(15'450));
  BOOST_TEST(first_price(prices, claim_of({line_of("97110", 90'000)}, kWinter)).allowed == Money::cents(15'914));
  prices.learn(claim_of({line_of("99211", 90'000)}, kWinter), {10'506});
  prices.learn(claim_of({line_of("99212", 90'000)}, kWinter), {11'557});
  BOOST_TEST(first_price(prices, claim_of({line_of("97110", 90'000)}, kWinter)).allowed == Money::cents(15'759));
}

BOOST_AUTO_TEST_CASE(a_payer_that_allows_a_share_of_the_charge_is_detected) {
  Prices prices(1'000);
  for (int i = 0; i < 40; ++i) {
    const std::int64_t charge = 10'000 + 137 * i;
    prices.learn(claim_of({line_of("99213", charge)}), {(charge * 62 + 50) / 100});
  }
  BOOST_TEST(std::abs(first_price(prices, claim_of({line_of("99213", 50'000)})).allowed.cents() - 31'000) <= 15);
  BOOST_TEST(std::abs(first_price(prices, claim_of({line_of("20610", 50'000)})).allowed.cents() - 31'000) <= 15);
}

BOOST_AUTO_TEST_CASE(an_unseen_procedure_is_priced_as_a_multiple_of_the_medicare_fee) {
  Prices prices(1'000);
  std::int64_t fee = 4'000;
  for (const char* code : {"99211", "99212", "99213", "99214", "99215"}) {
    auto line = line_of(code, 100'000 + fee * 3);
    line.fee = fee;
    prices.learn(claim_of({line}), {fee * 130 / 100});
    fee += 1'700;
  }
  auto unseen = line_of("20610", 100'000);
  unseen.fee = 10'000;
  const auto estimated = first_price(prices, claim_of({unseen}));
  BOOST_TEST(estimated.allowed == Money::cents(13'000));
  BOOST_TEST((estimated.source == PriceSource::site_multiple));
}

BOOST_AUTO_TEST_CASE(an_unseen_procedure_is_priced_by_the_multiple_of_its_section) {
  Prices prices(1'000);
  const auto priced = [](const char* code, std::int64_t fee, Section section) {
    auto line = line_of(code, 100'000 + fee * 3);
    line.fee = fee;
    line.section = section;
    return line;
  };
  std::int64_t fee = 4'000;
  for (const char* code : {"99211", "99212", "99213", "99214", "99215"}) {
    prices.learn(claim_of({priced(code, fee, Section::visit)}), {fee * 130 / 100});
    prices.learn(claim_of({priced((std::string("70") + (code + 2)).c_str(), fee, Section::imaging)}), {fee * 95 / 100});
    fee += 1'700;
  }
  BOOST_TEST(first_price(prices, claim_of({priced("99205", 10'000, Section::visit)})).allowed == Money::cents(13'000));
  BOOST_TEST(first_price(prices, claim_of({priced("71045", 10'000, Section::imaging)})).allowed == Money::cents(9'500));
}

BOOST_AUTO_TEST_CASE(each_section_has_its_own_share_of_the_charge) {
  Prices prices(1'000);
  const auto charged = [](const char* code, std::int64_t charge, Section section) {
    auto line = line_of(code, charge);
    line.section = section;
    return line;
  };
  for (int i = 0; i < 40; ++i) {
    const std::int64_t charge = 10'000 + 137 * i;
    prices.learn(claim_of({charged("99213", charge, Section::visit)}), {(charge * 62 + 50) / 100});
    prices.learn(claim_of({charged("71045", charge, Section::imaging)}), {(charge * 41 + 50) / 100});
  }
  BOOST_TEST(std::abs(first_price(prices, claim_of({charged("99205", 50'000, Section::visit)})).allowed.cents() -
                      31'000) <= 15);
  BOOST_TEST(std::abs(first_price(prices, claim_of({charged("73030", 50'000, Section::imaging)})).allowed.cents() -
                      20'500) <= 15);
}

BOOST_AUTO_TEST_CASE(sections_follow_the_ranges_of_the_code_sets) {
  const std::pair<const char*, Section> kExpected[] = {
      {"00100", Section::anesthesia}, {"20610", Section::surgery},    {"71045", Section::imaging},
      {"80053", Section::laboratory}, {"0240U", Section::laboratory}, {"93000", Section::medicine},
      {"97110", Section::therapy},    {"99213", Section::visit},      {"J1100", Section::supply},
      {"0001T", Section::other},      {"9921", Section::other},       {"", Section::other}};
  for (const auto& [code, section] : kExpected) BOOST_TEST((section_of(code) == section), code);
}

BOOST_AUTO_TEST_CASE(a_price_moves_with_the_medicare_fee_of_its_procedure) {
  Prices prices(1'000);
  auto line = line_of("99213", 90'000);
  line.fee = 8'000;
  for (int i = 0; i < 3; ++i) prices.learn(claim_of({line}), {10'000});
  line.fee = 8'400;
  const auto estimated = first_price(prices, claim_of({line}, kWinter));
  BOOST_TEST(estimated.allowed == Money::cents(10'500));
}

BOOST_AUTO_TEST_CASE(a_further_procedure_is_reduced_if_the_payer_reduces_it) {
  Prices prices(1'000);
  for (const char* code : {"29881", "20610"})
    for (int i = 0; i < 4; ++i)
      prices.learn(claim_of({line_of(code, 90'000 + 4'000 * i)}), {code[2] == '8' ? 40'000 : 10'000});
  for (int i = 0; i < 6; ++i)
    prices.learn(claim_of({line_of("29881", 90'000), line_of("20610", 90'000)}), {40'000, 5'000});
  std::vector<LinePrice> lines;
  prices.price(claim_of({line_of("20610", 90'000), line_of("29881", 90'000)}), lines);
  BOOST_TEST(lines[1].allowed == Money::cents(40'000));
  BOOST_TEST(lines[0].allowed == Money::cents(5'000));
  BOOST_TEST(first_price(prices, claim_of({line_of("20610", 90'000)})).allowed == Money::cents(10'000));
}

BOOST_AUTO_TEST_CASE(only_pricing_modifiers_have_their_own_price_in_any_order) {
  BOOST_TEST(pricing_modifiers("26") != pricing_modifiers(""));
  BOOST_TEST(pricing_modifiers("26") != pricing_modifiers("TC"));
  BOOST_TEST(pricing_modifiers("26:50") == pricing_modifiers("50:26"));
  BOOST_TEST(pricing_modifiers("25") == pricing_modifiers(""));
}

BOOST_AUTO_TEST_CASE(a_claim_without_lines_is_estimated_by_its_payer_s_share) {
  Prices prices(1'000);
  PricedLine whole;
  whole.charge = 20'000;
  for (int i = 0; i < 30; ++i) {
    whole.charge += 777;
    prices.learn(claim_of({whole}), {whole.charge * (40 + i % 7) / 100});
  }
  whole.charge = 100'000;
  const auto estimated = first_price(prices, claim_of({whole}));
  BOOST_TEST(estimated.allowed > Money::cents(38'000));
  BOOST_TEST(estimated.allowed < Money::cents(48'000));
}

BOOST_AUTO_TEST_SUITE_END()
