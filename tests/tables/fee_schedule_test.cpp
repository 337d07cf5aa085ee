// The fee schedule as CMS publishes it: relative values times conversion factor are the published amounts, to the cent.
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>

#include "core/tables/claim_fees.hpp"
#include "core/tables/table_file.hpp"

using namespace tideover;
using tables::ColumnType;

namespace {

const std::filesystem::path kPublished = std::filesystem::path(TIDEOVER_SOURCE_DIR) / "../shared/data/cms_fee";

tables::Column decimal(std::string name, std::vector<std::string> headers) {
  return {std::move(name), ColumnType::decimal, true, std::move(headers)};
}
tables::Column word(std::string name, std::vector<std::string> headers) {
  return {std::move(name), ColumnType::word, true, std::move(headers)};
}

/// As rules/tables/pfs.lua has it; total_nonfacility stands at 7, total_facility at 8.
const tables::Schema kPfs = {"pfs",
                             {{"code", ColumnType::code, false, {"HCPCS"}},
                              {"modifier", ColumnType::code, true, {"MOD"}},
                              {"status", ColumnType::word, false, {}},
                              decimal("work", {"WORK RVU"}),
                              decimal("pe_nonfacility", {"NF PE RVU"}),
                              decimal("pe_facility", {"F PE RVU"}),
                              decimal("mp", {"MP RVU"}),
                              decimal("total_nonfacility", {"NF TOTAL"}),
                              decimal("total_facility", {"F TOTAL"}),
                              word("mult", {"MULT"}),
                              word("bilat", {"BILAT"}),
                              word("asst", {"ASST"}),
                              word("cosurg", {"COSURG"}),
                              decimal("pre", {"PRE"}),
                              decimal("intra", {"INTRA"}),
                              decimal("post", {"POST"}),
                              {"endo_base", ColumnType::code, true, {"ENDO BASE"}},
                              decimal("conversion_factor", {"CONV FACTOR"})},
                             {0, 1},
                             {},
                             {}};
const tables::Schema kGpci = {"gpci",
                              {{"state", ColumnType::word, false, {}},
                               {"locality", ColumnType::word, false, {"Locality Number"}},
                               decimal("work", {"PW GPCI (with 1.0 Floor)"}),
                               decimal("pe", {"PE GPCI"}),
                               decimal("mp", {"MP GPCI"})},
                              {0, 1},
                              {},
                              {}};
const tables::Schema kFactors = {"conversion_factors",
                                 {{"kind", ColumnType::word, false, {}},
                                  {"from", ColumnType::date, false, {}},
                                  {"to", ColumnType::date, true, {}},
                                  {"factor", ColumnType::decimal, false, {}}},
                                 {0},
                                 1,
                                 2};

std::shared_ptr<const tables::Table> table_of(const std::string& text, const tables::Schema& schema) {
  auto reading = tables::read_table(text, schema, {});
  BOOST_REQUIRE_MESSAGE(reading.faults.empty(),
                        schema.table << ": " << (reading.faults.empty() ? "" : reading.faults.front().message));
  return reading.table;
}

/// Null, with a message, where the published files are not beside the checkout.
std::shared_ptr<const tables::Table> published(const char* name, const tables::Schema& schema) {
  std::ifstream file(kPublished / name, std::ios::binary);
  if (file) return table_of({std::istreambuf_iterator<char>(file), {}}, schema);
  BOOST_TEST_MESSAGE("skipped: there is no shared/data/cms_fee beside the checkout");
  return nullptr;
}

std::shared_ptr<const tables::Table> shipped_factors() {
  std::ifstream file(std::filesystem::path(TIDEOVER_SOURCE_DIR) / "rules/tables/conversion_factors.csv",
                     std::ios::binary);
  return table_of({std::istreambuf_iterator<char>(file), {}}, kFactors);
}

domain::Date date_of(const char* text) {
  return domain::parse_date(text).value();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fee_schedule)

BOOST_AUTO_TEST_CASE(every_published_row_gives_its_published_amounts_to_the_cent) {
  const auto pfs = published("pprrvu2025_hcpcs2_only.csv", kPfs), gpci = published("GPCI2025.csv", kGpci);
  if (!pfs || !gpci) return;
  const auto schedule = tables::FeeSchedule::of(pfs, gpci, shipped_factors());
  BOOST_REQUIRE(schedule.has_value());
  int priced = 0;
  for (std::uint32_t row = 0; row < pfs->row_count(); ++row) {
    const auto code = std::get<std::string_view>(pfs->value(row, 0)),
               modifier = std::get<std::string_view>(pfs->value(row, 1));
    const auto factor = *pfs->decimal(row, 17);
    BOOST_REQUIRE(schedule->conversion_factor("PFS", date_of("2025-07-01")).value() == factor);
    for (const bool facility : {false, true}) {
      const auto line = schedule->procedure(code, modifier, facility);
      BOOST_REQUIRE(line.has_value());
      // The published amount: the file's own total times its own factor, to the nearest cent.
      const auto total = *pfs->decimal(row, facility ? 8 : 7);
      const auto published_cents = (static_cast<std::int64_t>(total / 10'000) * (factor / 100) + 5'000) / 10'000;
      const auto fee = domain::medicare_fee(line->values, {}, factor);
      BOOST_TEST(fee.cents() == published_cents, code << ' ' << modifier << (facility ? " facility" : " non-facility"));
      priced += published_cents > 0 ? 1 : 0;
    }
  }
  BOOST_TEST_MESSAGE(priced << " amounts");
  BOOST_TEST(priced > 400);
}

BOOST_AUTO_TEST_CASE(each_component_is_adjusted_by_the_index_of_its_locality) {
  const auto pfs = published("pprrvu2025_hcpcs2_only.csv", kPfs), gpci = published("GPCI2025.csv", kGpci);
  if (!pfs || !gpci) return;
  const auto schedule = tables::FeeSchedule::of(pfs, gpci, shipped_factors()).value();
  // G0019 in Alaska: (1.00 x 1.500 + 1.35 x 1.081 + 0.06 x 0.592) x 32.3465 = 96.8736...
  const auto line = schedule.procedure("G0019", "", false).value();
  BOOST_TEST(domain::medicare_fee(line.values, schedule.indices("AK", "01").value(), 32'346'500).cents() == 96'87);
  BOOST_TEST(!schedule.indices("AK", "77").has_value());
  BOOST_TEST(!schedule.procedure("00000", "", false).has_value());
}

BOOST_AUTO_TEST_CASE(the_conversion_factor_is_that_of_the_day) {
  const auto pfs = table_of("code,modifier,status\n00010,,A\n", kPfs),
             gpci = table_of("state,locality\nZZ,00\n", kGpci);
  const auto schedule = tables::FeeSchedule::of(pfs, gpci, shipped_factors()).value();
  BOOST_TEST(schedule.conversion_factor("PFS", date_of("2022-12-31")).value() == 34'606'200);
  BOOST_TEST(schedule.conversion_factor("PFS", date_of("2024-03-08")).value() == 32'744'200);
  BOOST_TEST(schedule.conversion_factor("PFS", date_of("2024-03-09")).value() == 33'287'500);
  BOOST_TEST(schedule.conversion_factor("PFS", date_of("2026-01-01")).value() == 33'400'900);
  BOOST_TEST(schedule.conversion_factor("QP", date_of("2026-01-01")).value() == 33'567'500);
  BOOST_TEST(!schedule.conversion_factor("PFS", date_of("2021-12-31")).has_value());
  BOOST_TEST(!tables::FeeSchedule::of(gpci, gpci, shipped_factors()).has_value());
}

BOOST_AUTO_TEST_CASE(components_of_a_procedure_have_their_own_rows) {
  const auto pfs = table_of(
      "code,modifier,status,work,pe_nonfacility,pe_facility,mp,mult,endo_base\n00013,,A,.50,3.00,3.00,.10,4,\n00013,26,"
      "A,.50,.20,.20,.02,4,\n00013,TC,A,0,2.80,2.80,.08,4,\n"
      "00040,,A,2,2,1,.2,3,00041\n00041,,A,1,1,.5,.1,3,\n",
      kPfs);
  const auto schedule =
      tables::FeeSchedule::of(pfs, table_of("state,locality\nZZ,00\n", kGpci), shipped_factors()).value();
  BOOST_TEST(schedule.procedure("00013", "59:26", false)->values.work == 500'000);
  BOOST_TEST(schedule.procedure("00013", "TC", false)->values.work == 0);
  BOOST_TEST(schedule.procedure("00040", "", true)->values.practice == 1'000'000);
}

BOOST_AUTO_TEST_CASE(the_fee_of_fractional_units_is_rounded_once_half_to_even_and_never_overflows) {
  const auto pfs = table_of(
      "code,modifier,status,work,pe_nonfacility,pe_facility,mp\n00010,,A,33.33,0,0,0\n00011,,A,999999999.999999,"
      "999999999.999999,0,999999999.999999\n",
      kPfs);
  const auto factors = table_of("kind,from,to,factor\nPFS,2026-01-01,,1\n", kFactors),
             huge = table_of("kind,from,to,factor\nPFS,2026-01-01,,999999999.999999\n", kFactors);
  const auto gpci = table_of("state,locality\nZZ,00\n", kGpci);
  domain::ClaimDraft claim;
  claim.service_lines.resize(2);
  claim.service_lines[0].cpt = "00010";
  claim.service_lines[0].units_milli = 1'500;
  claim.service_lines[1].cpt = "00011";
  claim.service_lines[1].units_milli = 9'999'999;
  const auto fee = [&](const auto& factor, std::size_t line) {
    return tables::ClaimFees(tables::FeeSchedule::of(pfs, gpci, factor), nullptr)(claim, date_of("2026-02-01"))[line]
        .fee->cents();
  };
  BOOST_TEST(fee(factors, 0) == 50'00);  // 49.995
  BOOST_TEST(fee(factors, 1) == domain::kLargestAmount.cents());
  BOOST_TEST(fee(huge, 0) == 499'950'00);  // a factor counts as 10 000 at most
  BOOST_TEST(fee(huge, 1) == domain::kLargestAmount.cents());
}

BOOST_AUTO_TEST_CASE(lines_are_listed_at_the_price_of_their_day_and_place_of_service) {
  auto schema = kPfs;
  schema.columns.push_back(word("global_days", {}));
  const auto pfs = table_of(
      "code,modifier,status,work,pe_nonfacility,pe_facility,mp,global_days\n00010,,A,1,2,1,.1,090\n00010,26,A,.5,.2,.2,"
      ".02,XXX\n00030,,N,0,0,0,0,XXX\n",
      schema);
  const auto schedule =
      tables::FeeSchedule::of(pfs, table_of("state,locality\nZZ,00\n", kGpci), shipped_factors()).value();
  const tables::Schema places = {"place_of_service",
                                 {{"code", ColumnType::code, false, {}}, {"facility", ColumnType::flag, false, {}}},
                                 {0},
                                 {},
                                 {}};
  const tables::ClaimFees fees(schedule, table_of("code,facility\n11,n\n21,y\n", places));
  domain::ClaimDraft claim;
  claim.service_lines.resize(4);
  claim.service_lines[0].cpt = claim.service_lines[1].cpt = "00010";
  claim.service_lines[1].modifier = "26";
  claim.service_lines[1].units_milli = 2'000;
  claim.service_lines[2].cpt = "00030";
  claim.service_lines[3].cpt = "99999";
  const auto listed = [&](const char* day, const char* place) {
    claim.date_of_service = date_of(day);
    claim.details.place_of_service = place;
    return fees(claim, date_of("2026-02-01"));
  };
  using Fees = std::vector<domain::ListedFee>;
  BOOST_TEST(
      (listed("2025-12-31", "11") ==
       Fees{{domain::Money::cents(100'27), 90}, {domain::Money::cents(46'58), 0}, {}, {}}));  // 3.1 and 0.72 x 32.3465
  BOOST_TEST((listed("2026-01-01", "") ==
              Fees{{domain::Money::cents(103'54), 90}, {domain::Money::cents(48'10), 0}, {}, {}}));  // x 33.4009
  BOOST_TEST((listed("2026-01-01", "21").at(0).fee == domain::Money::cents(70'14)));                 // 2.1 x 33.4009
  BOOST_TEST((listed("2027-02-01", "") == listed("2026-12-31", "")));  // the factor of 2027 is not known yet
  BOOST_TEST(listed("2027-02-01", "").size() == 4U);
  BOOST_TEST(listed("2021-12-31", "11").empty());  // no factor is known
  claim.details.institutional.emplace();
  BOOST_TEST(listed("2026-01-01", "11").empty());  // a facility is paid by another schedule
  claim.details.institutional.reset();
  claim.date_of_service.reset();
  BOOST_TEST((fees(claim, date_of("2025-12-31")).at(0).fee == domain::Money::cents(100'27)));  // the day of the review
  claim.service_lines.erase(claim.service_lines.begin(), claim.service_lines.begin() + 2);
  BOOST_TEST(listed("2026-01-01", "11").empty());  // nothing of it is listed
}

BOOST_AUTO_TEST_SUITE_END()
