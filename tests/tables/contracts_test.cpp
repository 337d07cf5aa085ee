// The contract row that prices a service line.
#include <boost/test/unit_test.hpp>

#include "core/tables/claim_fees.hpp"
#include "core/tables/table_file.hpp"

using namespace tideover;
using domain::Money;
using tables::ColumnType;

namespace {

/// As rules/tables/contracts.lua has it.
const tables::Schema kContracts = {"contracts",
                                   {{"payer_id", ColumnType::text, false, {}},
                                    {"billing_npi", ColumnType::text, true, {}},
                                    {"code", ColumnType::code, false, {}},
                                    {"modifiers", ColumnType::text, true, {}},
                                    {"from", ColumnType::date, true, {}},
                                    {"to", ColumnType::date, true, {}},
                                    {"price", ColumnType::decimal, true, {}},
                                    {"medicare_percent", ColumnType::decimal, true, {}}},
                                   {0, 1, 2, 3},
                                   4,
                                   5};

struct Priced {
  explicit Priced(const std::string& rows) {
    auto reading = tables::read_table("payer_id,billing_npi,code,modifiers,from,to,price,medicare_percent\n" + rows,
                                      kContracts, {});
    BOOST_REQUIRE_MESSAGE(reading.faults.empty(), (reading.faults.empty() ? "" : reading.faults.front().message));
    contracts = tables::Contracts::of(reading.table);
    BOOST_REQUIRE(contracts.has_value());
    claim.payer_id = "P1";
    claim.billing_npi = "1999999984";
  }
  /// Cents; -1 if no contract prices the line.
  std::int64_t of(const std::string& code, const std::string& modifiers = "", std::int64_t units_milli = 1000,
                  const char* day = "2026-01-05", Money fee = {}) {
    const auto price =
        contracts->price(claim, {code, modifiers, units_milli, Money::cents(1)}, domain::parse_date(day).value(), fee);
    return price ? price->cents() : -1;
  }
  std::optional<tables::Contracts> contracts;
  domain::ClaimDraft claim;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(contracts)

BOOST_AUTO_TEST_CASE(the_most_specific_row_of_the_day_prices_a_line) {
  Priced priced(
      "P1,,00010,,2025-01-01,2025-12-31,100.00,\n"
      "P1,,00010,,2026-01-01,,110.005,\n"
      "P1,1999999984,00010,,2026-01-01,,120.00,\n"
      "P1,,00010,26,2026-01-01,,40.00,\n"
      "P1,,00010,50:LT,2026-01-01,,150.00,\n");
  BOOST_TEST(priced.of("00010") == 12'000);
  priced.claim.billing_npi = "1234567893";
  BOOST_TEST(priced.of("00010") == 11'000);  // rounded half to even
  BOOST_TEST(priced.of("00010", "", 2000) == 22'001);
  BOOST_TEST(priced.of("00010", "", 1000, "2025-06-30") == 10'000);
  BOOST_TEST(priced.of("00010", "", 1000, "2024-06-30") == -1);
  BOOST_TEST(priced.of("00010", "26") == 4'000);
  BOOST_TEST(priced.of("00010", "59:26") == 4'000);
  BOOST_TEST(priced.of("00010", "50:LT") == 15'000);
  BOOST_TEST(priced.of("00010", "59") == 11'000);  // changes no price
  BOOST_TEST(priced.of("00010", "TC") == -1);      // does, and no row has it
  BOOST_TEST(priced.of("00011") == -1);
  priced.claim.payer_id = "P2";
  BOOST_TEST(priced.of("00010") == -1);
}

BOOST_AUTO_TEST_CASE(a_share_of_the_fee_of_several_units_is_rounded_once) {
  Priced priced("P1,,00010,,,,,100\nP1,,00011,,,,,110\n");
  BOOST_TEST(priced.of("00010", "", 1'500, "2026-01-05", Money::cents(33'33)) == 50'00);  // 49.995
  BOOST_TEST(priced.of("00011", "", 1'500, "2026-01-05", Money::cents(33'33)) ==
             54'99);  // 54.9945: 110 % of the rounded 50.00 were 55.00
}

BOOST_AUTO_TEST_CASE(a_price_is_capped_at_the_largest_amount) {
  Priced priced("P1,,00010,,,,999999999.999999,\nP1,,00011,,,,,999999999.999999\nP1,,00012,,,,-999999999.999999,\n");
  BOOST_TEST(priced.of("00010", "", 9'999'999) == domain::kLargestAmount.cents());
  BOOST_TEST(priced.of("00011", "", 9'999'999, "2026-01-05", domain::kLargestAmount) == domain::kLargestAmount.cents());
  BOOST_TEST(priced.of("00012", "", 9'999'999) == 0);
}

BOOST_AUTO_TEST_CASE(a_share_of_the_medicare_fee_needs_the_fee) {
  Priced priced("P1,,00010,,,,,112.5\nP1,,00011,,,,,\n");
  BOOST_TEST(priced.of("00010", "", 1000, "2026-01-05", Money::cents(10'000)) == 11'250);
  BOOST_TEST(priced.of("00010") == -1);
  BOOST_TEST(priced.of("00011", "", 1000, "2026-01-05", Money::cents(10'000)) == -1);
}

BOOST_AUTO_TEST_CASE(contracts_apply_without_a_fee_schedule) {
  Priced priced("P1,,00010,,,,75.00,\n");
  priced.claim.service_lines = {{"00010", "", 1000, Money::cents(9'000)}, {"00012", "", 1000, Money::cents(9'000)}};
  const tables::ClaimFees fees(std::nullopt, nullptr, priced.contracts);
  const auto listed = fees(priced.claim, domain::parse_date("2026-01-05").value());
  BOOST_REQUIRE(listed.size() == 2u);
  BOOST_TEST((listed[0] == domain::ListedFee{std::nullopt, 0, Money::cents(7'500)}));
  BOOST_TEST((listed[1] == domain::ListedFee{}));
  priced.claim.service_lines.erase(priced.claim.service_lines.begin());
  BOOST_TEST(fees(priced.claim, domain::parse_date("2026-01-05").value()).empty());
}

BOOST_AUTO_TEST_SUITE_END()
