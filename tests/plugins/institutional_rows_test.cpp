// Institutional claims in tables and in NDJSON: columns and members of their codes, and lines by revenue code.
#include "tests/plugins/import_reader.hpp"

using namespace tideover;
using namespace tideover::plugin_test;

namespace {

const std::string kHeader =
    "claim_identifier,chart_identifier,servicer_npi,billing_npi,patient_primary_payor_id,submitted_amount,claim_type";
const std::string kCells = "UB-1,CH-1,1234567893,1999999984,87726,1000.00,institutional";

void check_values(const ports::ImportRow& row, const std::map<std::string, std::string>& expected) {
  BOOST_TEST(row.fault == "");
  for (const auto& [field, text] : expected) BOOST_TEST(value(row, field) == text, field);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(institutional_rows, Formats)

BOOST_AUTO_TEST_CASE(a_table_has_columns_for_each_field_and_for_members_of_codes) {
  const auto found = rows("csv",
                          kHeader +
                              ",Bill,statement_from,discharge_date,condition_codes,present_on_admission,"
                              "occurrence_codes[0].code,occurrence_codes[0].date,occurrence_spans[1].through,"
                              "value_codes[0].code,value_codes[0].amount\n" +
                              kCells + ",131,11/02/2026,11/05/2026,09 C5,Y;N,11,10/31/2026,11/03/2026,80,$3.00\n",
                          {{"type_of_bill", "Bill"}, {"file.dates", "MM/DD/YYYY"}, {"file.amounts", "us"}});
  BOOST_REQUIRE(found.size() == 1u);
  check_values(found[0], {{"claim_type", "institutional"},
                          {"type_of_bill", "131"},
                          {"statement_from", "2026-11-02"},
                          {"discharge_date", "2026-11-05"},
                          {"condition_codes", "09 C5"},
                          {"present_on_admission", "Y;N"},
                          {"occurrence_codes[0].code", "11"},
                          {"occurrence_codes[0].date", "2026-10-31"},
                          {"occurrence_spans[1].through", "2026-11-03"},
                          {"value_codes[0].code", "80"},
                          {"value_codes[0].amount", "3.00"}});
}

BOOST_AUTO_TEST_CASE(rows_of_one_claim_are_its_lines_with_revenue_codes) {
  std::string table = kHeader + ",revenue_code,cpt,amount\n";
  for (int i = 0; i < 999; ++i) table += kCells + ",0450," + (i == 0 ? "99284" : "") + ",1.00\n";
  const auto whole = rows("csv", table);
  BOOST_REQUIRE(whole.size() == 1u);
  check_values(whole[0], {{"service_lines[0].revenue_code", "0450"},
                          {"service_lines[0].cpt", "99284"},
                          {"service_lines[998].revenue_code", "0450"},
                          {"service_lines[998].cpt", "(none)"}});
  check_says(rows("csv", table + kCells + ",0450,,1.00\n").at(0).fault, {"more than 999 service lines"});
  check_says(rows("csv", kHeader + ",type_of_bill,revenue_code\n" + kCells + ",0131,0450\n" + kCells + ",0137,0250\n")
                 .at(0)
                 .fault,
             {"different values", "type_of_bill"});
  check_values(rows("csv", kHeader + ",service_lines[1].revenue_code\n" + kCells + ",0250\n").at(0),
               {{"service_lines[1].revenue_code", "0250"}});
}

BOOST_AUTO_TEST_CASE(columns_that_only_look_like_members_of_codes_are_not_read) {
  const std::string others = ",value_codes[0].date,value_codes[x].code,value_codes[0],occurrence_codes[1000].code\n";
  const auto found = rows("csv", kHeader + others + kCells + ",a,b,c,d\n");
  BOOST_TEST(found.at(0).fields.size() == 7u);
}

BOOST_AUTO_TEST_CASE(an_object_has_them_as_the_request_does) {
  const auto found =
      rows("ndjson",
           R"({"claim_type":"institutional","Bill":"0131","condition_codes":["09","C5"],"present_on_admission":["Y",)"
           R"(null,"N"],"occurrence_spans":[{"code":"74","from":"2026-11-02","through":"2026-11-03"}],)"
           R"("value_codes":[{"code":"80","amount":3}],"service_lines":[{"revenue_code":"0450","units":1}]})"
           "\n",
           {{"type_of_bill", "Bill"}});
  check_values(found.at(0), {{"claim_type", "institutional"},
                             {"type_of_bill", "0131"},
                             {"condition_codes[1]", "C5"},
                             {"present_on_admission[1]", "(none)"},
                             {"present_on_admission[2]", "N"},
                             {"occurrence_spans[0].through", "2026-11-03"},
                             {"value_codes[0].amount", "3"},
                             {"service_lines[0].revenue_code", "0450"}});
}

BOOST_AUTO_TEST_SUITE_END()
