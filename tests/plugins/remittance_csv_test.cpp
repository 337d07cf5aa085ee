// Remittances as CSV through the host: what a table becomes, and which rows keep their payment out.
#include <boost/test/data/test_case.hpp>

#include "tests/plugins/remittance_reader.hpp"

using namespace tideover;
using namespace tideover::plugin_test;
using domain::ErrorCode;

namespace {

const std::string kHeader =
    "payer_id,trace_number,payment_date,payment_amount,claim_identifier,status,charge_amount,paid_amount";

struct CsvRemittances : RemittanceReader {
  CsvRemittances() {
    host = load({{shipped("payer_directory_file"),
                  "payer_directory",
                  "",
                  {{"path", TIDEOVER_SOURCE_DIR "/config/payers.jsonl"}}},
                 {shipped("remittance_format_csv"), "remittance_format", "", {}}});
  }
  using Mapping = std::vector<std::pair<std::string, std::string>>;
  domain::Result<domain::RemittanceFile> parse_csv(const std::string& text, const Mapping& mapping = {}) {
    return host->remittances().find("csv")->parse(text, mapping);
  }
  domain::RemittanceFile file(const std::string& text, const Mapping& mapping = {}) {
    auto parsed = parse_csv(text, mapping);
    if (!parsed) BOOST_FAIL(parsed.error().message);
    return std::move(*parsed);
  }
  domain::Error refusal(const std::string& text, const Mapping& mapping = {}) {
    auto parsed = parse_csv(text, mapping);
    BOOST_REQUIRE(!parsed);
    return parsed.error();
  }
};

/// A row that cannot be taken, in a file whose header may have further columns.
struct BadRow {
  std::string columns;  // behind kHeader
  std::string row;
  std::string reason;
};
std::ostream& operator<<(std::ostream& out, const BadRow& bad) {
  return out << bad.reason;
}

const std::vector<BadRow> kBadRows{
    {"", "SAMPLE-80,T-2,2026-11-20,80,=1+1,1,100,80", "'claim_identifier' has a formula"},
    {"", "SAMPLE-80,T-2,2026-11-20,80,C-1,1,100,-80", "'paid_amount' is negative"},
    {",currency", "SAMPLE-80,T-2,2026-11-20,80,C-1,1,100,80,CAD", "'currency' must be USD"},
    {"", "SAMPLE-80,T-2,2026-11-20,80,2.1E+11,1,100,80", "spreadsheet has shortened"},
    {"", "SAMPLE-80,T-2,2026-11-20,80,C-1,1,-100,80", "'charge_amount' is negative"},
    {"", "SAMPLE-80,T-2,2026-11-20,-80,C-1,1,100,80", "'payment_amount' is negative"},
    {"", "SAMPLE-80,T-2,2026-11-20,80,C-1,1,100000000,80", "'charge_amount' is not an amount"},
    {"", "SAMPLE-80,T-2,2026-11-20,80,C-1,1,99999999999999999999999,80", "'charge_amount' is not an amount"},
    {"", "SAMPLE-80,T-2,2026-11-20,80,C-1,1,100,80.001", "'paid_amount' is not an amount"},
    {"", "SAMPLE-80,T-2,2026-11-20,80,C-1,1,100,eighty", "'paid_amount' is not an amount"},
    {"", "SAMPLE-80,T-2,2026-11-20,80,C-1,1,100,", "'paid_amount' is empty"},
    {"", "SAMPLE-80,T-2,2026-12-22,80,C-1,1,100,80", "'payment_date' is in the future"},
    {"", "SAMPLE-80,T-2,2026-02-30,80,C-1,1,100,80", "'payment_date' is not a calendar date"},
    {"", "SAMPLE-80,T-2,,80,C-1,1,100,80", "'payment_date' is empty"},
    {",date_of_service", "SAMPLE-80,T-2,2026-11-20,80,C-1,1,100,80,2026-11-22", "'date_of_service' is in the future"},
    {"", "SAMPLE-80,T-2,2026-11-20,80,C-1,5,100,80", "'status' must be one of"},
    {"", "SAMPLE-80,T-2,2026-11-20,80,,1,100,80", "neither a 'claim_identifier' nor"},
    {"", "SAMPLE-80,T-2,2026-11-20,80," + std::string(65, 'c') + ",1,100,80", "'claim_identifier' must be at most 64"},
    {"", "SAMPLE-80,T-2,2026-11-20,80,\"C\n1\",1,100,80", "without control characters"},
    {",adjustments[0].group,adjustments[0].code,adjustments[0].amount",
     "SAMPLE-80,T-2,2026-11-20,80,C-1,1,100,80,XX,45,20", "must be CO, PR, OA or PI"},
    {",adjustments[0].group,adjustments[0].code,adjustments[0].amount",
     "SAMPLE-80,T-2,2026-11-20,80,C-1,1,100,80,CO,,20", "group, code and amount together"},
    {",cpt,line_charge_amount,line_paid_amount", "SAMPLE-80,T-2,2026-11-20,80,C-1,1,100,80,99213,100,",
     "needs 'line_charge_amount' and 'line_paid_amount'"},
    {",cpt,line_charge_amount,line_paid_amount", "SAMPLE-80,T-2,2026-11-20,80,C-1,1,100,80,,100,80", "need its 'cpt'"},
    {"", "SAMPLE-80,,2026-11-20,80,C-1,1,100,80", "'trace_number' is empty"},
    {"", "SAMPLE-80,T-2,2026-11-20", "the row has 3 cells"},
    {"", std::string("SAMPLE-80,T-2,2026-11-20,80,C\0,1,100,80", 39), "NUL"},
    {"", "SAMPLE-80,T-2,2026-11-20,80,C\xFF,1,100,80", "not UTF-8"}};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(remittance_csv, CsvRemittances)

BOOST_AUTO_TEST_CASE(a_table_becomes_payments_with_claims_lines_and_adjustments) {
  const auto found =
      file(kHeader +
           ",payer_claim_number,date_of_service,cpt,modifier,units,line_charge_amount,line_allowed_amount,line_paid_"
           "amount,adjustments[0].group,"
           "adjustments[0].code,adjustments[0].amount,provider_adjustment_code,provider_adjustment_reference,provider_"
           "adjustment_amount\n"
           "SAMPLE-80,T-1,2026-11-20,750.00,C-1,1,1000.00,790.00,P-1,2026-11-16,99213,25,1,400,350,300,CO,45,100,,,\n"
           "SAMPLE-80,T-2,2026-11-20,0,C-9,4,50,0,,,,,,,,,CO,50,50,,,\n"
           "SAMPLE-80,T-1,2026-11-20,750.00,C-1,1,1000.00,790.00,P-1,2026-11-16,99214,,2,600,,490,PR,1,110,,,\n"
           "SAMPLE-80,T-1,2026-11-20,750.00,,,,,,,,,,,,,,,,WO,C-0,40.00\n");
  BOOST_TEST(found.left_out.empty());
  BOOST_REQUIRE(found.payments.size() == 2);
  const auto& payment = found.payments[0];
  BOOST_TEST(payment.payer_id == "SAMPLE-80");
  BOOST_TEST(payment.trace_number == "T-1");
  BOOST_TEST((payment.payment_date == domain::Date::from_ymd(2026, 11, 20)));
  BOOST_TEST(balance_of(payment).balanced());
  BOOST_REQUIRE(payment.claims.size() == 1);
  const auto& claim = payment.claims[0];
  BOOST_TEST(claim.payer_claim_number == "P-1");
  BOOST_TEST(claim.paid_amount.cents() == 79'000);
  BOOST_TEST(claim.adjustments.empty());
  BOOST_REQUIRE(claim.lines.size() == 2);
  BOOST_TEST(claim.lines[0].modifier == "25");
  BOOST_TEST(claim.lines[0].allowed_amount->cents() == 35'000);
  BOOST_TEST(!claim.lines[1].allowed_amount);
  BOOST_TEST(claim.lines[1].adjustments.at(0).group == "PR");
  BOOST_TEST(payment.provider_adjustments.at(0).amount.cents() == 4'000);
  BOOST_TEST(payment.provider_adjustments.at(0).reference == "C-0");
  BOOST_TEST(found.payments[1].claims.at(0).adjustments.at(0).code == "50");
}

BOOST_AUTO_TEST_CASE(a_reversal_and_its_correction_are_two_claims_and_may_be_negative) {
  const auto found = file(kHeader +
                          ",cpt,line_charge_amount,line_paid_amount\n"
                          "SAMPLE-80,T-1,2026-11-20,20,C-1,22,-100,-80,99213,-100,-80\n"
                          "SAMPLE-80,T-1,2026-11-20,20,C-1,1,100,100,99213,100,100\n");
  BOOST_TEST(found.left_out.empty());
  BOOST_REQUIRE(found.payments.at(0).claims.size() == 2);
  BOOST_TEST(found.payments[0].claims[0].paid_amount.cents() == -8'000);
}

BOOST_AUTO_TEST_CASE(foreign_headers_are_mapped_either_way_round) {
  std::string text = kHeader + "\nSAMPLE-80,T-1,2026-11-20,80,C-1,1,100,80\n";
  text.replace(text.find("claim_identifier"), 16, "Claim No").replace(text.find("paid_amount"), 11, "Paid");
  for (const Mapping& mapping : {Mapping{{"claim_identifier", "Claim No"}, {"paid_amount", "PAID "}},
                                 Mapping{{"Claim No", "claim_identifier"}, {"Paid", "paid_amount"}}})
    BOOST_TEST(file(text, mapping).payments.at(0).claims.at(0).claim_identifier == "C-1");

  const auto unmapped = refusal(text);
  BOOST_TEST((unmapped.code == ErrorCode::invalid_payload));
  check_says(unmapped.message, {"required columns are missing", "claim_identifier", "paid_amount"});
  const auto unknown = refusal(text, {{"claim_no", "Claim No"}});
  BOOST_TEST((unknown.code == ErrorCode::validation_error));
  check_says(unknown.message, {"claim_no"});
  check_says(refusal(text, {{"claim_identifier", "Claim No"}, {"paid_amount", "Paid"}, {"cpt", "Procedure"}}).message,
             {"does not have", "Procedure"});
}

BOOST_AUTO_TEST_CASE(a_mapping_says_how_the_file_writes_dates_and_amounts) {
  const auto read = file("Remittances,,,,,,,,\n" + kHeader +
                             ",currency\nSAMPLE-80,T-1,11/20/2026,\"$1,080.00\",C-1,1,\"$1,100.00\",\"1,080\",usd\n",
                         {{"file.dates", "MM/DD/YYYY"}, {"file.amounts", "us"}});
  BOOST_TEST(read.left_out.empty());
  BOOST_REQUIRE(read.payments.size() == 1);
  BOOST_TEST(read.payments[0].payment_amount.cents() == 108'000);
  BOOST_TEST(read.payments[0].claims.at(0).charge_amount.cents() == 110'000);
  BOOST_TEST(domain::format_date(*read.payments[0].payment_date) == "2026-11-20");
}

BOOST_DATA_TEST_CASE(a_row_that_cannot_be_taken_keeps_its_payment_out_and_no_other,
                     boost::unit_test::data::make(kBadRows), bad) {
  const std::string rest(static_cast<std::size_t>(std::count(bad.columns.begin(), bad.columns.end(), ',')), ',');
  const auto good = [&](const char* trace, const char* claim) {
    return std::string("SAMPLE-80,") + trace + ",2026-11-20,80," + claim + ",1,100,80" + rest + "\n";
  };
  // The payment of the bad row has a good one too; two others stand far from it.
  const auto found = file(kHeader + bad.columns + "\n" + good("T-1", "C-1") + good("T-2", "C-2") + bad.row + "\n" +
                          good("T-2", "C-3") + good("T-4", "C-4"));
  BOOST_REQUIRE(found.left_out.size() == 1);
  BOOST_TEST(found.left_out[0].line == 4);
  check_says(found.left_out[0].reason, {bad.reason});
  BOOST_REQUIRE(found.payments.size() == 2);
  BOOST_TEST(found.payments[0].trace_number == "T-1");
  BOOST_TEST(found.payments[1].trace_number == "T-4");
}

BOOST_AUTO_TEST_CASE(rows_that_disagree_keep_their_payment_out) {
  const auto found =
      file(kHeader + "\nSAMPLE-80,T-1,2026-11-20,160,C-1,1,100,80\nSAMPLE-80,T-1,2026-11-20,161,C-2,1,100,80\n");
  BOOST_TEST(found.payments.empty());
  check_says(found.left_out.at(0).reason, {"different values of 'payment_amount'"});
}

BOOST_AUTO_TEST_CASE(a_row_that_names_no_payment_keeps_out_both_beside_it) {
  const auto row = [](const char* trace) {
    return std::string("SAMPLE-80,") + trace + ",2026-11-20,80,C-1,1,100,80\n";
  };
  const auto found = file(kHeader + "\n" + row("T-1") + row("T-2") + "cut\n" + row("T-3") + row("T-4"));
  BOOST_REQUIRE(found.payments.size() == 2);
  BOOST_TEST(found.payments[0].trace_number == "T-1");
  BOOST_TEST(found.payments[1].trace_number == "T-4");
}

BOOST_AUTO_TEST_CASE(a_file_without_rows_is_refused) {
  for (const std::string& text : {std::string(), kHeader, kHeader + "\n\n"})
    BOOST_TEST((refusal(text).code == ErrorCode::invalid_payload));
}

BOOST_AUTO_TEST_CASE(a_file_cut_anywhere_gives_whole_payments_or_none) {
  const std::string text =
      kHeader + "\nSAMPLE-80,T-1,2026-11-20,160,C-1,1,100,80\nSAMPLE-80,T-1,2026-11-20,160,C-2,1,100,80\n";
  for (std::size_t length = 0; length < text.size() - 1; ++length) {
    const auto parsed = parse_csv(text.substr(0, length));
    if (!parsed) continue;
    for (const auto& payment : parsed->payments) BOOST_TEST(!balance_of(payment).balanced(), "cut at " << length);
  }
}

BOOST_AUTO_TEST_SUITE_END()
