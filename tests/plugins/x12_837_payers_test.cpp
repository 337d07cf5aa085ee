// What an 837 says of other payers, of what was paid already, and of who is paid.
#include <map>
#include <sstream>

#include "tests/plugins/import_reader.hpp"

using namespace tideover;
using namespace tideover::plugin_test;

namespace {

/// One transaction of one claim, in the pieces that tests change.
struct File {
  std::string usage = "P";                        // ISA15
  std::string purpose = "CH";                     // BHT06
  std::string pay_to;                             // 2010AC
  std::string subscriber = "SBR*P*18*******CI~";  // 2000B
  std::string claim = "CLM*R-204*640***11:B:1*Y*A*Y*Y~";
  std::string others;  // 2320 and 2330
  std::string lines = "LX*1~SV1*HC:99214*640*UN*1***1~DTP*472*D8*20261102~";

  std::string text() const {
    const std::string transaction = "ST*837*0001*005010X222A1~BHT*0019*00*77*20261110*0800*" + purpose +
                                    "~HL*1**20*1~NM1*85*2*RIVER PRACTICE*****XX*1999999984~" + pay_to + "HL*2*1*22*0~" +
                                    subscriber + "NM1*PR*2*RIVER HEALTH*****PI*SAMPLE-80~" + claim + others + lines;
    return "ISA*00*          *00*          *ZZ*RIVER          *ZZ*CLEAR          *261110*0800*^*00501*000000007*0*" +
           usage + "*:~GS*HC*RIVER*CLEAR*20261110*0800*7*X*005010X222A1~" + transaction + "SE*" +
           std::to_string(std::count(transaction.begin(), transaction.end(), '~') + 1) +
           "*0001~GE*1*7~IEA*1*000000007~";
  }
};

std::string other(const std::string& sequence, const std::string& id, const std::string& amounts) {
  return "SBR*" + sequence + "*18*******CI~" + amounts +
         "OI***Y***Y~NM1*IL*1*ROE*ALEX****MI*M9~NM1*PR*2*OTHER PLAN*****PI*" + id + "~";
}

struct Reader : Formats {
  ports::ImportRow only(const File& file) {
    const auto found = rows("x12_837", file.text());
    BOOST_REQUIRE_MESSAGE(found.size() == 1u, file.text());
    return found.front();
  }
  std::string of(const File& file, const char* field) {
    const auto row = only(file);
    BOOST_TEST(row.fault == "");
    return value(row, field);
  }
  std::string paid(const std::string& sequence, const std::string& others, const std::string& line_payments = "") {
    File file;
    file.subscriber = "SBR*" + sequence + "*18*******CI~";
    file.others = others;
    file.lines += line_payments;
    return of(file, "paid_by_others");
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(x12_837_payers, Reader)

BOOST_AUTO_TEST_CASE(the_sequence_of_the_payer_is_that_of_the_subscriber_s_level) {
  const std::map<std::string, std::string> names{{"P", "primary"},  {"S", "secondary"}, {"T", "tertiary"},
                                                 {"A", "tertiary"}, {"H", "tertiary"},  {"U", "(none)"},
                                                 {"", "(none)"}};
  for (const auto& [code, name] : names) {
    File file;
    file.subscriber = "SBR*" + code + "*18*******CI~";
    BOOST_TEST(of(file, "payer_sequence") == name, code);
  }
  File behind;  // another payer's sequence is not this one's
  behind.others = other("S", "OTHER-1", "");
  BOOST_TEST(of(behind, "payer_sequence") == "primary");
}

BOOST_AUTO_TEST_CASE(a_subscriber_does_not_inherit_the_sequence_of_the_one_before) {
  File file;
  file.subscriber = "SBR*S*18*******CI~";
  file.lines += "HL*3*1*22*0~NM1*PR*2*RIVER HEALTH*****PI*SAMPLE-80~CLM*R-205*10***11:B:1~LX*1~SV1*HC:99214*10*UN*1~";
  const auto found = rows("x12_837", file.text());
  BOOST_REQUIRE(found.size() == 2u);
  BOOST_TEST(value(found[0], "payer_sequence") == "secondary");
  BOOST_TEST(value(found[1], "payer_sequence") == "(none)");
}

BOOST_AUTO_TEST_CASE(payments_of_earlier_payers_are_added_up) {
  BOOST_TEST(paid("P", "") == "(none)");
  BOOST_TEST(paid("S", other("P", "FIRST", "AMT*D*410.5~")) == "410.50");
  BOOST_TEST(paid("S", other("P", "FIRST", "AMT*D*0~")) == "0.00");
  BOOST_TEST(paid("T", other("P", "FIRST", "AMT*D*300~") + other("S", "SECOND", "AMT*D*41.25~")) == "341.25");
  BOOST_TEST(paid("S", other("P", "FIRST", "CAS*PR*2*80~AMT*EAF*80~AMT*D*410~AMT*A8*9~")) ==
             "410.00");  // other amounts are no payment
  BOOST_TEST(paid("S", other("P", "FIRST", "AMT*D*-5~")) == "0.00");
}

BOOST_AUTO_TEST_CASE(payments_of_earlier_payers_by_line_count_as_well) {
  const std::string first = "SVD*FIRST*410*HC:99214**1~CAS*CO*45*150~DTP*573*D8*20261109~";
  BOOST_TEST(paid("S", other("P", "FIRST", ""), first) == "410.00");
  BOOST_TEST(paid("S", other("P", "FIRST", "AMT*D*410~"), first) == "410.00");  // the same money, stated twice
  BOOST_TEST(paid("S", other("P", "FIRST", "AMT*D*100~"), first) ==
             "410.00");  // they disagree: the larger, so that less is left
  BOOST_TEST(paid("S", other("P", "FIRST", ""), first + "SVD*FIRST*90*HC:99214**1~") == "500.00");
  BOOST_TEST(paid("S", other("P", "FIRST", ""), "SVD*FRST*410*HC:99214**1~") ==
             "410.00");  // the only one there is, misspelt
  BOOST_TEST(paid("T", other("P", "FIRST", "AMT*D*300~") + other("S", "SECOND", ""), "SVD*SECOND*41*HC:99214**1~") ==
             "341.00");
  BOOST_TEST(paid("S", "", "SVD*NAMED*12*HC:99214**1~") == "12.00");  // without its 2320
}

BOOST_AUTO_TEST_CASE(a_sum_that_lacks_an_earlier_payer_is_left_out) {
  BOOST_TEST(paid("S", other("P", "FIRST", "")) == "(none)");
  BOOST_TEST(paid("T", other("P", "FIRST", "AMT*D*300~") + other("S", "SECOND", "")) == "(none)");
  // Those behind this one have not paid yet.
  BOOST_TEST(paid("P", other("S", "SECOND", "")) == "(none)");
  BOOST_TEST(paid("S", other("P", "FIRST", "AMT*D*300~") + other("T", "THIRD", "")) == "300.00");
}

BOOST_AUTO_TEST_CASE(an_amount_of_another_payer_that_cannot_be_read_spoils_the_claim) {
  File file;
  file.others = other("P", "FIRST", "AMT*D*N/A~");
  check_says(only(file).fault, {"AMT02 is not an amount", "segment"});
  file.others.clear();
  file.lines += "SVD*FIRST*x*HC:99214**1~";
  check_says(only(file).fault, {"SVD02 is not an amount"});
}

BOOST_AUTO_TEST_CASE(the_payment_of_the_patient_is_read) {
  File file;
  BOOST_TEST(of(file, "patient_paid") == "(none)");
  file.claim += "AMT*F5*35.2~";
  BOOST_TEST(of(file, "patient_paid") == "35.20");
  file.claim = File().claim;
  file.others = other("S", "SECOND", "AMT*F5*35~");  // stands in another payer's part
  BOOST_TEST(of(file, "patient_paid") == "(none)");
}

BOOST_AUTO_TEST_CASE(the_payee_follows_from_both_assignments) {
  struct Case {
    const char *accepts, *benefits, *filing, *read_benefits, *read_accepts;
  };
  for (const auto& [accepts, benefits, filing, read_benefits, read_accepts] :
       {Case{"A", "Y", "CI", "true", "true"}, Case{"A", "N", "CI", "false", "true"},
        Case{"A", "W", "CI", "false", "true"}, Case{"C", "N", "CI", "false", "false"},
        Case{"C", "Y", "CI", "true", "false"},   // out of network, and the payer still pays the provider
        Case{"C", "Y", "MB", "false", "false"},  // Medicare pays the patient then
        Case{"C", "Y", "MA", "false", "false"}, Case{"P", "Y", "CI", "false", "(none)"},
        Case{"B", "Y", "CI", "true", "(none)"}, Case{"", "", "CI", "(none)", "(none)"}}) {
    File file;
    file.subscriber = std::string("SBR*P*18*******") + filing + "~";
    file.claim = std::string("CLM*R-204*640***11:B:1*Y*") + accepts + '*' + benefits + "*Y~";
    BOOST_TEST(of(file, "benefits_assigned") == read_benefits, accepts << benefits << filing);
    BOOST_TEST(of(file, "accepts_assignment") == read_accepts, accepts << benefits << filing);
  }
}

BOOST_AUTO_TEST_CASE(encounters_subrogations_and_pay_to_plans_are_read) {
  File file;
  BOOST_TEST(of(file, "is_encounter") == "(none)");
  BOOST_TEST(of(file, "pay_to_plan") == "(none)");
  file.purpose = "RP";
  BOOST_TEST(of(file, "is_encounter") == "true");
  file.purpose = "31";
  BOOST_TEST(of(file, "pay_to_plan") == "true");
  file.purpose = "CH";
  file.pay_to = "NM1*87*2~N3*1 SIDE STREET~";  // another address of the provider is no plan
  BOOST_TEST(of(file, "pay_to_plan") == "(none)");
  file.pay_to = "NM1*PE*2*STATE AGENCY*****PI*AG-1~N3*1 SIDE STREET~";
  BOOST_TEST(of(file, "pay_to_plan") == "true");
  file.lines +=
      "HL*3**20*1~NM1*85*2*HILL "
      "PRACTICE*****XX*1999999984~HL*4*3*22*0~CLM*R-206*10***11:B:1~LX*1~SV1*HC:99214*10*UN*1~";
  const auto found = rows("x12_837", file.text());
  BOOST_REQUIRE(found.size() == 2u);
  BOOST_TEST(value(found[1], "pay_to_plan") == "(none)");  // of the next provider
}

BOOST_AUTO_TEST_CASE(each_interchange_says_whether_it_is_a_test) {
  File real, test;
  test.usage = "T";
  const auto found = rows("x12_837", real.text() + test.text() + real.text());
  BOOST_REQUIRE(found.size() == 3u);
  BOOST_TEST(value(found[0], "is_test") == "(none)");
  BOOST_TEST(value(found[1], "is_test") == "true");
  BOOST_TEST(value(found[2], "is_test") == "(none)");
}

BOOST_AUTO_TEST_SUITE_END()
