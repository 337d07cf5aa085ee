// The answers to an 837 through the host, read back by the X12 reader: every count and control number of an answer must
// agree, and each fault must be at the segment of the file that has it.
#include <algorithm>
#include <stdexcept>

#include "plugins/x12/interchange.hpp"
#include "tests/plugins/import_reader.hpp"

using namespace tideover;
using namespace tideover::plugin_test;

namespace {

const std::string kIsaOfSender =
    "ISA*00*          *00*          *ZZ*SENDER         *30*123456789      *261120*0800*^*00501*000000017*0*P*:~";
const std::string kGsOfSender = "GS*HC*FROM*TO*20261120*0800*5*X*005010X222A1~";
const std::string kLevels =
    "BHT*0019*00*1*20261110*0800*CH~HL*1**20*1~NM1*85*2*SAMPLE CLINIC*****XX*1999999984~HL*2*1*22*0~SBR*P*18*******CI~"
    "NM1*PR*2*SAMPLE PAYER*****PI*SAMPLE-80~";

std::string good_claim(const std::string& number) {
  return "CLM*" + number + "*100***11:B:1*Y*A*Y*Y~LX*1~SV1*HC:99213*100*UN*1***1~";
}
std::string void_claim(const std::string& number) {
  return "CLM*" + number + "*100***11:B:8*Y*A*Y*Y~LX*1~SV1*HC:99213*100*UN*1***1~";
}
std::string transaction_of(const std::string& claims, const std::string& number = "0001") {
  const auto body = "ST*837*" + number + "*005010X222A1~" + kLevels + claims;
  return body + "SE*" + std::to_string(std::count(body.begin(), body.end(), '~') + 1) + '*' + number + '~';
}
std::string file_of(const std::string& transactions, int count = 1, const std::string& isa = kIsaOfSender) {
  return isa + kGsOfSender + transactions + "GE*" + std::to_string(count) + "*5~IEA*1*000000017~";
}
std::string changed(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, what);
  return text.replace(at, what.size(), with);
}

/// Writes the segments of an answer as text; a problem of its envelopes fails the test.
class AnswerReader final : public x12::InterchangeReader::Handler {
 public:
  std::vector<std::string> segments;
  std::vector<std::string> numbers;  // ISA13 and GS06

  void open(const x12::Segment& header) override {
    note(header);
    if (header.id() == "ISA") numbers.emplace_back(header.at(13));
    if (header.id() == "GS") numbers.emplace_back(header.at(6));
  }
  void take(const x12::Segment& segment) override { note(segment); }
  void close(const x12::Segment&) override {}
  void problem(const x12::Problem& problem) override { BOOST_ERROR(problem.text); }

  void note(const x12::Segment& segment) {
    std::string text(segment.id());
    for (std::size_t i = 1; i < segment.size(); ++i) text += '*' + std::string(segment.at(i));
    segments.push_back(text);
  }
  /// The first segments with these ids, one per line.
  std::string only(const std::vector<std::string>& ids) const {
    std::string text;
    for (const auto& segment : segments)
      if (std::find(ids.begin(), ids.end(), segment.substr(0, segment.find('*'))) != ids.end()) text += segment + '\n';
    return text;
  }
};

AnswerReader parsed(const std::string& answer) {
  AnswerReader reader;
  std::string_view rest = answer;
  const auto source = claim_rows::memory_source(rest);
  x12::InterchangeReader interchanges(sdk::ByteSource(&source), "999", reader);
  while (interchanges.next())
    if (interchanges.segment().id() == "TA1") reader.note(interchanges.segment());
  return reader;
}

const std::vector<std::string> kOutcome{"AK1", "AK2", "IK3", "CTX", "IK4", "IK5", "AK9"};

struct Answers : Formats {
  ports::FileAnswer answer_to(const std::string& text, std::int64_t last = 41) {
    auto answer =
        host->imports().find("x12_837")->acknowledge(text, {domain::Timestamp::from_ms(1'795'186'800'000), last});
    if (!answer) BOOST_FAIL(answer.error().message);
    BOOST_REQUIRE(answer->has_value());
    return **answer;
  }
  std::string outcome_of(const std::string& text) {
    return parsed(answer_to(text).acknowledgment.implementation).only(kOutcome);
  }
  std::string interchange_of(const std::string& text) {
    return parsed(answer_to(text).acknowledgment.interchange).only({"TA1"});
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(x12_acknowledgment, Answers)

BOOST_AUTO_TEST_CASE(an_accepted_file_has_a_999_from_the_receiver_to_the_sender) {
  const auto answer = answer_to(file_of(transaction_of(good_claim("C-1"))));
  BOOST_TEST(answer.acknowledgment.interchange == "");
  BOOST_TEST(answer.last_control_number == 43);
  const auto read = parsed(answer.acknowledgment.implementation);
  BOOST_TEST(read.only({"ISA", "GS", "ST"}) ==
             "ISA*00**00**30*123456789*ZZ*SENDER*261120*1500*^*00501*000000042*0*P*:\n"
             "GS*FA*TO*FROM*20261120*1500*43*X*005010X231A1\nST*999*0001*005010X231A1\n");
  BOOST_TEST(read.only(kOutcome) == "AK1*HC*5*005010X222A1\nAK2*837*0001*005010X222A1\nIK5*A\nAK9*A*1*1*1\n");
}

BOOST_AUTO_TEST_CASE(a_refused_claim_is_named_with_its_segment_and_element) {
  // ST is segment 1, the levels are 2 to 7, the first claim 8 to 10.
  BOOST_TEST(outcome_of(file_of(transaction_of(good_claim("C-1") + void_claim("C-2")))) ==
             "AK1*HC*5*005010X222A1\nAK2*837*0001*005010X222A1\nIK3*CLM*11*2300*8\nCTX*CLM01:C-2\nIK4*5**I6\nIK5*E*5\n"
             "AK9*E*1*1*1\n");
  const auto dental = good_claim("C-3") + "SV3*AD:D0120*10~";
  BOOST_TEST(outcome_of(file_of(transaction_of(good_claim("C-1") + dental))) ==
             "AK1*HC*5*005010X222A1\nAK2*837*0001*005010X222A1\nIK3*SV3*14*2400*2\nCTX*CLM01:C-3\nIK5*E*5\n"
             "AK9*E*1*1*1\n");
  const auto amount = changed(good_claim("C-4"), "LX*1~", "AMT*F5*x~LX*1~");
  BOOST_TEST(outcome_of(file_of(transaction_of(good_claim("C-1") + amount))) ==
             "AK1*HC*5*005010X222A1\nAK2*837*0001*005010X222A1\nIK3*AMT*12*2300*8\nCTX*CLM01:C-4\nIK4*2**6\nIK5*E*5\n"
             "AK9*E*1*1*1\n");
  const auto two_services = good_claim("C-5") + "SV1*HC:99213*1*UN*1***1~";
  BOOST_TEST(outcome_of(file_of(transaction_of(good_claim("C-1") + two_services))) ==
             "AK1*HC*5*005010X222A1\nAK2*837*0001*005010X222A1\nIK3*SV1*14*2400*5\nCTX*CLM01:C-5\nIK5*E*5\n"
             "AK9*E*1*1*1\n");
}

BOOST_AUTO_TEST_CASE(a_transaction_without_an_accepted_claim_is_rejected) {
  const auto refused = transaction_of(void_claim("C-1"), "0002");
  BOOST_TEST(outcome_of(file_of(refused)) ==
             "AK1*HC*5*005010X222A1\nAK2*837*0002*005010X222A1\nIK3*CLM*8*2300*8\nCTX*CLM01:C-1\nIK4*5**I6\nIK5*R*5\n"
             "AK9*R*1*1*0\n");
  BOOST_TEST(parsed(answer_to(file_of(transaction_of(good_claim("C-0")) + refused, 2)).acknowledgment.implementation)
                 .only({"IK5", "AK9"}) == "IK5*A\nIK5*R*5\nAK9*P*2*2*1\n");
}

BOOST_AUTO_TEST_CASE(a_transaction_of_another_kind_is_not_supported) {
  const auto foreign = "ST*835*0009~BPR*I~SE*3*0009~";
  BOOST_TEST(outcome_of(file_of(foreign)) == "AK1*HC*5*005010X222A1\nAK2*835*0009\nIK5*R*1\nAK9*R*1*1*0\n");
}

BOOST_AUTO_TEST_CASE(wrong_counts_and_control_numbers_have_their_codes) {
  const auto whole = file_of(transaction_of(good_claim("C-1")));
  BOOST_TEST(
      parsed(answer_to(changed(whole, "SE*11*0001", "SE*9*7")).acknowledgment.implementation).only({"IK5", "AK9"}) ==
      "IK5*E*3*4\nAK9*E*1*1*1\n");
  BOOST_TEST(parsed(answer_to(changed(whole, "GE*1*5", "GE*4*6")).acknowledgment.implementation).only({"IK5", "AK9"}) ==
             "IK5*A\nAK9*E*4*1*1*5*4\n");
  BOOST_TEST(parsed(answer_to(changed(whole, "GE*1*5~", "")).acknowledgment.implementation).only({"AK9"}) ==
             "AK9*E*1*1*1*3\n");
}

BOOST_AUTO_TEST_CASE(a_ta1_is_due_on_request_and_for_a_bad_envelope) {
  const auto whole = file_of(transaction_of(good_claim("C-1")));
  BOOST_TEST(interchange_of(changed(whole, "*0*P*:", "*1*P*:")) == "TA1*000000017*261120*0800*A*000\n");
  BOOST_TEST(interchange_of(changed(whole, "IEA*1*000000017", "IEA*2*000000017")) ==
             "TA1*000000017*261120*0800*E*021\n");
  BOOST_TEST(interchange_of(changed(whole, "IEA*1*000000017", "IEA*1*000000018")) ==
             "TA1*000000017*261120*0800*E*001\n");
  BOOST_TEST(interchange_of(changed(whole, "IEA*1*000000017~", "")) == "TA1*000000017*261120*0800*R*023\n");
  BOOST_TEST(interchange_of(changed(whole, "SE*11*0001~", "")) == "TA1*000000017*261120*0800*R*024\n");
  // A rejected interchange has no 999.
  BOOST_TEST(answer_to(changed(whole, "IEA*1*000000017~", "")).acknowledgment.implementation == "");
}

BOOST_AUTO_TEST_CASE(each_interchange_has_an_answer_with_numbers_of_its_own) {
  const auto test_isa = changed(changed(kIsaOfSender, "*0*P*", "*1*T*"), "SENDER ", "OTHER  ");
  const auto answer =
      answer_to(file_of(transaction_of(good_claim("C-1"))) + file_of(transaction_of(good_claim("C-2")), 1, test_isa),
                999'999'998);
  auto read = parsed(answer.acknowledgment.implementation);
  const auto requested = parsed(answer.acknowledgment.interchange);
  BOOST_TEST(read.only({"ISA"}) ==
             "ISA*00**00**30*123456789*ZZ*SENDER*261120*1500*^*00501*999999999*0*P*:\n"
             "ISA*00**00**30*123456789*ZZ*OTHER*261120*1500*^*00501*000000003*0*T*:\n");
  read.numbers.insert(read.numbers.end(), requested.numbers.begin(), requested.numbers.end());
  std::sort(read.numbers.begin(), read.numbers.end());
  BOOST_TEST((std::unique(read.numbers.begin(), read.numbers.end()) == read.numbers.end()));
  BOOST_TEST(answer.last_control_number == 4);
}

BOOST_AUTO_TEST_CASE(a_value_of_the_file_cannot_break_the_answer) {
  // With other delimiters, the delimiters of the answer are ordinary characters of a value.
  auto text = file_of(transaction_of(good_claim("C-1") + void_claim("A")));
  std::replace(text.begin(), text.end(), '*', '|');
  std::replace(text.begin(), text.end(), '~', '!');
  std::replace(text.begin(), text.end(), ':', '>');
  text = changed(text, "CLM|A|", "CLM|A*B~C:D|");
  BOOST_TEST(parsed(answer_to(text).acknowledgment.implementation).only({"CTX", "IK5"}) ==
             "CTX*CLM01:A B C D\nIK5*E*5\n");
}

BOOST_AUTO_TEST_CASE(a_file_without_interchange_and_other_formats_have_no_answer) {
  const ports::AnswerTerms terms{domain::Timestamp::from_ms(0), 0};
  for (const auto* text : {"", "hello", "GS*HC*FROM*TO*20261120*0800*5*X*005010X222A1~"}) {
    const auto answer = host->imports().find("x12_837")->acknowledge(text, terms);
    BOOST_REQUIRE(bool(answer));
    BOOST_TEST(!answer->has_value());
  }
  for (const auto* format : {"ndjson", "csv"}) {
    const auto answer = host->imports().find(format)->acknowledge("{}", terms);
    BOOST_REQUIRE(bool(answer));
    BOOST_TEST(!answer->has_value());
  }
}

BOOST_AUTO_TEST_SUITE_END()
