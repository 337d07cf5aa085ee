// The interchange reader of plugins/x12 alone: what its handler gets for whole files, and for each fault of an envelope
// once.
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <vector>

#include "plugins/x12/interchange.hpp"

namespace {

using x12::Problem;
using x12::Segment;
using Lines = std::vector<std::string>;

const std::string kIsa =
    "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *261120*0800*^*00501*000000001*0*P*:~";
const std::string kGs = "GS*HP*SENDER*RECEIVER*20261120*0800*1*X*005010X221A1~";
const std::string kTransaction = "ST*835*0001~BPR*I~SE*3*0001~";
const std::string kWhole = kIsa + kGs + kTransaction + "GE*1*1~IEA*1*000000001~";

/// Writes down each call: "open GS", "take BPR", "close SE", "count transaction: text (segment 5 SE, byte 200)".
class Recorder final : public x12::InterchangeReader::Handler {
 public:
  Lines lines;
  std::string counted;  // of the latest problem
  bool throws = false;

  void open(const Segment& header) override { lines.push_back("open " + std::string(header.id())); }
  void take(const Segment& segment) override { lines.push_back("take " + std::string(segment.id())); }
  void close(const Segment& trailer) override { lines.push_back("close " + std::string(trailer.id())); }
  void problem(const Problem& problem) override {
    static constexpr const char* kKinds[] = {"isa",     "no trailer", "no header", "count",
                                             "control", "truncated",  "surplus"};
    static constexpr const char* kLevels[] = {"interchange", "group", "transaction"};
    counted = problem.counted;
    lines.push_back(std::string(kKinds[problem.kind]) + ' ' + kLevels[problem.level] + ": " +
                    message_at(problem.position, problem.text));
    if (throws) throw std::runtime_error("refused");
  }
};

struct Reading {
  Lines calls;      // without open and take
  std::string end;  // "end", or the message of the fault
};

void read(std::string_view text, Recorder& recorder) {
  const auto source = claim_rows::memory_source(text);
  x12::InterchangeReader reader(tideover::sdk::ByteSource(&source), "835", recorder);
  while (reader.next()) {
  }
}

Reading problems_of(const std::string& text) {
  Recorder recorder;
  std::string end = "end";
  try {
    read(text, recorder);
  } catch (const tideover::sdk::Fault& fault) {
    end = fault.what();
  }
  Lines calls;
  for (const auto& line : recorder.lines)
    if (line.rfind("open", 0) != 0 && line.rfind("take", 0) != 0) calls.push_back(line);
  return {calls, end};
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, what);
  return text.replace(at, what.size(), with);
}

/// The calls of problems_of, and that the file is read to its end.
void check_calls(const std::string& text, const Lines& expected) {
  const auto [calls, end] = problems_of(text);
  BOOST_TEST_CONTEXT(text) {
    BOOST_TEST(calls == expected, boost::test_tools::per_element());
    BOOST_TEST(end == "end");
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(x12_interchange)

BOOST_AUTO_TEST_CASE(a_whole_file_gives_its_headers_and_the_segments_of_its_transactions) {
  Recorder recorder;
  read(kIsa + "TA1*1~" + kGs + kTransaction + "ST*835*2~BPR*H~TRN*1~SE*4*00002~GE*2*01~IEA*1*1~", recorder);
  const Lines expected{"open ISA", "open GS",  "open ST",  "take BPR", "close SE",
                       "open ST",  "take BPR", "take TRN", "close SE"};
  BOOST_TEST(recorder.lines == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(open_envelopes_have_a_header_until_their_trailer) {
  struct Watcher final : x12::InterchangeReader::Handler {
    const x12::InterchangeReader* reader = nullptr;
    Lines at_close;
    void open(const Segment&) override {}
    void take(const Segment&) override {}
    void close(const Segment&) override {
      for (const auto level : {x12::kInterchange, x12::kGroup, x12::kTransaction})
        at_close.emplace_back(reader->header(level)->id());
    }
    void problem(const Problem&) override {}
  } watcher;
  std::string_view rest = kWhole;
  const auto source = claim_rows::memory_source(rest);
  x12::InterchangeReader reader(tideover::sdk::ByteSource(&source), "835", watcher);
  watcher.reader = &reader;
  while (reader.next()) {
  }
  BOOST_TEST((watcher.at_close == Lines{"ISA", "GS", "ST"}));
  for (const auto level : {x12::kInterchange, x12::kGroup, x12::kTransaction}) BOOST_TEST(!reader.header(level));
  BOOST_TEST(reader.segment().id() == "IEA");
}

BOOST_AUTO_TEST_CASE(an_irregular_isa_is_reported) {
  check_calls(
      replaced(kWhole, "*:~", "*~"),
      {"isa interchange: the ISA has no ISA16 (component separator); : is used (segment 1 ISA, byte 0)", "close SE"});
}

BOOST_AUTO_TEST_CASE(a_missing_se_closes_the_transaction_at_the_segment_that_shows_it) {
  const auto cut = replaced(kWhole, "SE*3*0001~", "");
  check_calls(cut, {"close GE"});
  check_calls(replaced(cut, "GE*1*1~", "ST*835*2~SE*2*2~GE*2*1~"), {"close ST", "close SE"});
  check_calls(
      replaced(cut, "GE*1*1~IEA*1*000000001~", kWhole),
      {"close ISA",
       "no trailer interchange: the interchange before this ISA has no IEA and may be incomplete (segment 5 ISA, "
       "byte 177)",
       "close SE"});
}

BOOST_AUTO_TEST_CASE(a_missing_ge_is_reported) {
  const auto cut = replaced(kWhole, "GE*1*1~", "");
  check_calls(cut, {"close SE", "no trailer group: the group before this segment has no GE (segment 6 IEA, byte 187)"});
  check_calls(replaced(cut, "IEA*1", kGs + "GE*0*1~IEA*2"),
              {"close SE", "no trailer group: the group before this segment has no GE (segment 6 GS, byte 187)"});
  check_calls(
      kGs + kTransaction + kWhole,
      {"close SE", "no trailer group: the group before this segment has no GE (segment 5 ISA, byte 81)", "close SE"});
}

BOOST_AUTO_TEST_CASE(a_missing_iea_is_reported_and_covers_a_missing_ge) {
  for (const std::string rest : {"IEA*1*000000001~", "GE*1*1~IEA*1*000000001~"}) {
    const auto first = replaced(kWhole, rest, "");
    const std::string number = rest[0] == 'I' ? "7" : "6";
    check_calls(first + kWhole,
                {"close SE",
                 "no trailer interchange: the interchange before this ISA has no IEA and may be incomplete (segment " +
                     number + " ISA, byte " + std::to_string(first.size()) + ")",
                 "close SE"});
  }
}

BOOST_AUTO_TEST_CASE(a_trailer_without_header_is_reported) {
  check_calls(replaced(kWhole, "IEA*", "GE*1*1~IEA*"),
              {"close SE", "no header group: GE without GS (segment 7 GE, byte 194)"});
  check_calls(kWhole + "IEA*1*000000001~",
              {"close SE", "no header interchange: IEA without ISA (segment 8 IEA, byte 210)"});
}

BOOST_AUTO_TEST_CASE(se_without_st_is_a_fault) {
  BOOST_TEST(problems_of(replaced(kWhole, "GE*", "SE*3*0001~GE*")).end == "SE without ST (segment 6 SE, byte 187)");
}

BOOST_AUTO_TEST_CASE(a_segment_outside_every_transaction_is_a_fault) {
  BOOST_TEST(problems_of(replaced(kWhole, "ST*", "BPR*I~ST*")).end ==
             "a segment is outside every transaction (segment 3 BPR, byte 159)");
  BOOST_TEST(problems_of(replaced(kWhole, "GE*", "BPR*I~GE*")).end ==
             "a segment is outside every transaction (segment 6 BPR, byte 187)");
}

BOOST_AUTO_TEST_CASE(wrong_counts_are_reported_after_the_end_of_the_transaction) {
  check_calls(
      replaced(kWhole, "SE*3*", "SE*4*"),
      {"close SE", "count transaction: SE01 counts 4 segments, the transaction has 3 (segment 5 SE, byte 177)"});
  check_calls(replaced(kWhole, "GE*1*", "GE*2*"),
              {"close SE", "count group: GE01 counts 2 transactions, the file has 1 (segment 6 GE, byte 187)"});
  check_calls(replaced(kWhole, "IEA*1*", "IEA**"),
              {"close SE", "count interchange: IEA01 counts  groups, the file has 1 (segment 7 IEA, byte 194)"});
  check_calls(
      replaced(kWhole, "GE*1*", "GE*1234567890\xC3xyz*"),
      {"close SE", "count group: GE01 counts 1234567890?x transactions, the file has 1 (segment 6 GE, byte 187)"});
}

BOOST_AUTO_TEST_CASE(counts_begin_again_with_each_envelope) {
  const auto group = kTransaction + kTransaction + "GE*2*1~";
  check_calls(kIsa + kGs + group + kGs + group + "IEA*2*1~" + kWhole,
              {"close SE", "close SE", "close SE", "close SE", "close SE"});
}

BOOST_AUTO_TEST_CASE(a_wrong_count_says_what_the_file_has_without_quoting_it) {
  Recorder recorder;
  read(replaced(kWhole, "SE*3*", "SE*4*"), recorder);
  BOOST_TEST(recorder.counted == "3 segments");
}

BOOST_AUTO_TEST_CASE(wrong_control_numbers_are_reported_after_the_end_of_the_transaction) {
  check_calls(replaced(kWhole, "SE*3*0001", "SE*3*0002"),
              {"close SE", "control transaction: SE02 is not the control number of its ST02 (segment 5 SE, byte 177)"});
  check_calls(replaced(kWhole, "GE*1*1", "GE*1*2"),
              {"close SE", "control group: GE02 is not the control number of its GS06 (segment 6 GE, byte 187)"});
  check_calls(
      replaced(kWhole, "IEA*1*000000001", "IEA*1*000000002"),
      {"close SE", "control interchange: IEA02 is not the control number of its ISA13 (segment 7 IEA, byte 194)"});
}

BOOST_AUTO_TEST_CASE(both_problems_of_a_trailer_are_reported) {
  check_calls(replaced(kWhole, "SE*3*0001", "SE*4*2"),
              {"close SE", "control transaction: SE02 is not the control number of its ST02 (segment 5 SE, byte 177)",
               "count transaction: SE01 counts 4 segments, the transaction has 3 (segment 5 SE, byte 177)"});
  check_calls(replaced(kWhole, "GE*1*1", "GE*2*2"),
              {"close SE", "count group: GE01 counts 2 transactions, the file has 1 (segment 6 GE, byte 187)",
               "control group: GE02 is not the control number of its GS06 (segment 6 GE, byte 187)"});
}

BOOST_AUTO_TEST_CASE(without_isa_a_wrong_se02_is_a_truncation_and_comes_before_the_end_of_the_transaction) {
  check_calls(
      replaced(kTransaction, "SE*3*0001", "SE*3*000"),
      {"truncated transaction: the file is truncated: SE02 is not the control number of its ST02 (segment 3 SE, "
       "byte 18)",
       "close SE"});
}

BOOST_AUTO_TEST_CASE(a_file_that_ends_in_open_envelopes_is_truncated_in_each) {
  const std::string no_se = "truncated transaction: the file is truncated: the last transaction has no SE (segment ";
  const std::string no_ge = "truncated group: the file is truncated: the group has no GE (segment ";
  const std::string no_iea = "truncated interchange: the file is truncated: the interchange has no IEA (segment ";
  const auto cut_before = [](const std::string& id) { return kWhole.substr(0, kWhole.find("~" + id) + 1); };
  check_calls(cut_before("SE"), {no_se + "4 BPR, byte 171)", no_ge + "4 BPR, byte 171)", no_iea + "4 BPR, byte 171)"});
  check_calls(cut_before("GE"), {"close SE", no_ge + "5 SE, byte 177)", no_iea + "5 SE, byte 177)"});
  check_calls(cut_before("IEA"), {"close SE", no_iea + "6 GE, byte 187)"});
  check_calls(kGs + kTransaction, {"close SE"});  // without ISA the last SE is the end
}

BOOST_AUTO_TEST_CASE(bytes_after_the_last_iea_are_reported) {
  check_calls(
      kWhole + "%% end of file",
      {"close SE", "surplus interchange: the data after the last IEA is not X12 and is skipped (segment 8, byte 210)"});
}

BOOST_AUTO_TEST_CASE(an_exception_of_the_handler_ends_the_reading) {
  Recorder recorder;
  recorder.throws = true;
  BOOST_CHECK_THROW(read(replaced(kWhole, "SE*3*", "SE*4*"), recorder), std::runtime_error);
  BOOST_TEST(recorder.lines.back().rfind("count", 0) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
