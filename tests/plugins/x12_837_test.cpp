// The 837 reader through the host: own-written files field by field and byte by byte, and files that others published.
#include <filesystem>
#include <map>

#include "tests/plugins/import_reader.hpp"

using namespace tideover;
using namespace tideover::plugin_test;

namespace {

namespace fs = std::filesystem;

const std::string kIsa =
    "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *261120*0800*^*00501*000000001*0*P*:~";
const std::string kOpen =
    "GS*HC*SENDER*RECEIVER*20261120*0800*1*X*005010X222A1~ST*837*0001*005010X222A1~BHT*0019*00*1*20261110*0800*CH~";
const std::string kProvider = "HL*1**20*1~NM1*85*2*SAMPLE CLINIC*****XX*1999999984~";
const std::string kSubscriber =
    "HL*2*1*22*0~SBR*P*18*******CI~NM1*IL*1*SAMPLE*SAMPLE****MI*M1~NM1*PR*2*SAMPLE PAYER*****PI*SAMPLE-80~";
const std::string kClaim =
    "CLM*C-1*130.5***11:B:1*Y*A*Y*Y~REF*EA*CH-7~NM1*82*1*SAMPLE*SAMPLE****XX*1234567893~NM1*77*2*SAMPLE "
    "SITE~LX*1~SV1*HC:99213:25:59*100*UN*1***1~"
    "DTP*472*D8*20261103~LX*2~SV1*HC:87070*30.5*UN*2***1~DTP*472*D8*20261102~";

/// Segments from ST to SE.
std::int64_t segments_of(const std::string& text) {
  return std::count(text.begin(), text.end(), '~');
}

std::string closed(const std::string& body) {
  const auto transaction = body.substr(body.find("ST*"));
  return kIsa + body + "SE*" + std::to_string(segments_of(transaction) + 1) + "*0001~GE*1*1~IEA*1*000000001~";
}
std::string one_claim() {
  return closed(kOpen + kProvider + kSubscriber + kClaim);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, what);
  return text.replace(at, what.size(), with);
}
std::string everywhere(std::string text, char what, char with) {
  std::replace(text.begin(), text.end(), what, with);
  return text;
}

struct Reader : Formats {
  std::vector<ports::ImportRow> claims(const std::string& text, std::size_t step = 1 << 16) {
    return rows("x12_837", text, {}, step);
  }
  /// What was read before the file turned out to be unreadable, and why it is.
  std::pair<std::vector<ports::ImportRow>, std::string> until_refused(const std::string& text) {
    TextSource source(text, 1 << 16);
    auto reader = host->imports().find("x12_837")->open(source, {});
    if (!reader) return {{}, reader.error().message};
    std::vector<ports::ImportRow> found;
    for (;;) {
      ports::ImportRow row;
      const auto more = (*reader)->next(row);
      if (!more) return {found, more.error().message};
      if (!*more) return {found, ""};
      found.push_back(std::move(row));
    }
  }
};

void check_says(const std::string& text, const std::string& part) {
  BOOST_TEST_CONTEXT(text) BOOST_TEST((text.find(part) != std::string::npos), "does not say: " << part);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(x12_837, Reader)

BOOST_AUTO_TEST_CASE(a_claim_becomes_a_review_request) {
  const auto found = claims(one_claim());
  BOOST_REQUIRE(found.size() == 1u);
  const auto& claim = found.front();
  BOOST_TEST(claim.fault == "");
  BOOST_TEST(claim.line == 11);  // its segment
  const std::map<std::string, std::string> expected{{"claim_identifier", "C-1"},
                                                    {"chart_identifier", "CH-7"},
                                                    {"servicer_npi", "1234567893"},
                                                    {"billing_npi", "1999999984"},
                                                    {"patient_primary_payor_id", "SAMPLE-80"},
                                                    {"submitted_amount", "130.5"},
                                                    {"facility", "SAMPLE SITE"},
                                                    {"date_of_service", "2026-11-02"},
                                                    {"date_of_submission", "2026-11-10"},
                                                    {"place_of_service", "11"},
                                                    {"claim_frequency_code", "1"},
                                                    {"service_lines[0].cpt", "99213"},
                                                    {"service_lines[0].modifier", "25:59"},
                                                    {"service_lines[0].units", "1"},
                                                    {"service_lines[0].amount", "100"},
                                                    {"service_lines[1].cpt", "87070"},
                                                    {"service_lines[1].units", "2"},
                                                    {"service_lines[1].amount", "30.5"},
                                                    {"payer_sequence", "primary"},
                                                    {"benefits_assigned", "true"},
                                                    {"accepts_assignment", "true"}};
  BOOST_TEST((std::map<std::string, std::string>(claim.fields.begin(), claim.fields.end()) == expected));
}

BOOST_AUTO_TEST_CASE(diagnoses_place_frequency_and_authorization_go_along) {
  const std::string details = "REF*G1*A-77~HI*ABK:E119*ABF:Z0000~HI*BK:25000*ABJ:R51~";
  const auto found = claims(closed(kOpen + kProvider + kSubscriber + "CLM*C-1*10***11:B:7~" + details +
                                   "LX*1~SV1*HC:99213*10*UN*1~REF*G1*LINE~"));
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(value(found[0], "place_of_service") == "11");
  BOOST_TEST(value(found[0], "claim_frequency_code") == "7");
  BOOST_TEST(value(found[0], "prior_authorization") == "true");
  BOOST_TEST(value(found[0], "diagnosis_codes[0]") == "E119");
  BOOST_TEST(value(found[0], "diagnosis_codes[1]") == "Z0000");
  BOOST_TEST(value(found[0], "diagnosis_codes[2]") == "(none)");  // neither ICD-9 nor what was known at admission
  const auto strange = claims(
      closed(kOpen + kProvider + kSubscriber + "CLM*C-1*10***1\xC6:B:7~" + details + "LX*1~SV1*HC:99213*10*UN*1~"));
  BOOST_TEST(strange.at(0).fault == "");
  BOOST_TEST(value(strange[0], "place_of_service") == "(none)");
  const auto institutional =
      claims(closed(kOpen + kProvider + kSubscriber + "CLM*C-1*10***11:A:2~LX*1~SV1*HC:99213*10*UN*1~REF*G1*LINE~"));
  for (const char* field : {"place_of_service", "claim_frequency_code", "prior_authorization"})
    BOOST_TEST(value(institutional.at(0), field) == "(none)", field);
}

BOOST_AUTO_TEST_CASE(any_delimiters_line_ends_and_chunk_sizes_give_the_same) {
  const auto whole = one_claim();
  const auto expected = claims(whole).front().fields;
  for (const std::size_t step : {1u, 7u, 105u, 106u, 107u})
    BOOST_TEST((claims(whole, step).front().fields == expected));
  BOOST_TEST(
      (claims(everywhere(everywhere(everywhere(whole, '*', '|'), ':', '>'), '~', '\'')).front().fields == expected));
  BOOST_TEST((claims(everywhere(whole, '~', '\n')).front().fields == expected));
  std::string broken_lines;
  for (const char c : whole) broken_lines += c == '~' ? std::string("~\r\n") : std::string(1, c);
  BOOST_TEST((claims(broken_lines).front().fields == expected));
  BOOST_TEST((claims("\xEF\xBB\xBF" + whole).front().fields == expected));
}

BOOST_AUTO_TEST_CASE(bytes_around_and_inside_the_text_change_nothing) {
  const auto whole = one_claim();
  const auto expected = claims(whole).front().fields;
  const auto wrapped = [&](std::size_t width, const std::string& line_end) {
    std::string lines;
    for (std::size_t at = 0; at < whole.size(); at += width) lines += whole.substr(at, width) + line_end;
    return lines;
  };
  std::string padded, doubled;
  for (const char c : whole) padded += c == '~' ? "~    \r\n" : std::string(1, c);
  for (const char c : whole) doubled += c == '~' ? "~~" : std::string(1, c);
  const std::string by_lines = everywhere(whole, '~', '\n');
  const std::vector<std::pair<const char*, std::string>> files{
      {"Ctrl-Z at the end", whole + "\r\n\x1A"},
      {"NUL padding", whole + std::string(500, '\0')},
      {"NUL between segments", replaced(whole, "GE*1*1~", std::string("\0\0\0\0GE*1*1~\0", 12))},
      {"lines of 80", wrapped(80, "\r\n")},
      {"lines of 40", wrapped(40, "\n")},
      {"a line end before ISA16", wrapped(104, "\n")},
      {"a line end behind ISA16", wrapped(105, "\r\n")},
      {"blanks behind terminators", padded},
      {"terminators twice", doubled},
      {"a blank behind ISA16", replaced(whole, ":~GS", ": ~GS")},
      {"padded qualifiers",
       replaced(replaced(replaced(whole, "NM1*85", "NM1* 85 "), "DTP*472", "DTP*472 "), "REF*EA", "REF*EA ")},
      {"no line end behind the last segment", by_lines.substr(0, by_lines.size() - 1)}};
  for (const auto& [what, file] : files)
    for (const std::size_t step : {std::size_t{1}, std::size_t{1} << 16})
      BOOST_TEST_CONTEXT(what << " in steps of " << step) {
        const auto found = claims(file, step);
        BOOST_REQUIRE(found.size() == 1u);
        BOOST_TEST(found.front().fault == "");
        BOOST_TEST((found.front().fields == expected));
      }
}

BOOST_AUTO_TEST_CASE(guesses_and_omissions_are_rows_of_their_own) {
  const auto whole = one_claim();
  const auto expected = claims(whole).front().fields;
  const std::vector<std::pair<std::string, std::string>> files{
      {replaced(whole, "*:~GS", "*~GS"), "no ISA16"},
      {replaced(whole, "*:~GS", "~GS"), "no ISA16"},
      {whole + "%% end of file", "the data after the last IEA is not X12"}};
  for (const auto& [file, says] : files) {
    std::string found_faults;
    std::size_t whole_claims = 0;
    for (const auto& row : claims(file)) {
      found_faults += row.fault;
      whole_claims += row.fields == expected ? 1 : 0;
    }
    check_says(found_faults, says);
    BOOST_TEST(whole_claims == 1u);
  }
  check_says(until_refused(whole + "%% next file" + whole).second, "between two interchanges");
  check_says(until_refused(whole.substr(0, whole.size() - 60) + whole).second, "another ISA starts there");
}

BOOST_AUTO_TEST_CASE(values_of_a_level_pass_down_and_end_with_it) {
  const std::string second_patient = "HL*3*2*23*0~PAT*19~CLM*C-2*10***11:B:1~LX*1~SV1*HC:99213*10*UN*1~";
  const std::string second_subscriber = "HL*4*1*22*0~SBR*P*18~CLM*C-3*10***11:B:1~LX*1~SV1*HC:99213*10*UN*1~";
  const std::string second_provider =
      "HL*5**20*1~HL*6*5*22*0~NM1*PR*2*SAMPLE*****PI*SAMPLE-60~CLM*C-4*10***11:B:1~LX*1~SV1*HC:99213*10*UN*1~";
  const auto found =
      claims(closed(kOpen + kProvider + kSubscriber + kClaim + second_patient + second_subscriber + second_provider));
  BOOST_REQUIRE(found.size() == 4u);
  BOOST_TEST(value(found[1], "patient_primary_payor_id") == "SAMPLE-80");
  BOOST_TEST(value(found[1], "billing_npi") == "1999999984");
  BOOST_TEST(value(found[1], "servicer_npi") == "1999999984");  // no other provider rendered
  BOOST_TEST(value(found[1], "chart_identifier") == "C-2");
  BOOST_TEST(value(found[2], "patient_primary_payor_id") == "(none)");
  BOOST_TEST(value(found[3], "patient_primary_payor_id") == "SAMPLE-60");
  BOOST_TEST(value(found[3], "billing_npi") == "(none)");
}

BOOST_AUTO_TEST_CASE(the_currency_of_a_provider_goes_along_with_its_claims) {
  const std::string foreign = replaced(kProvider, "NM1*85", "CUR*85*CAD~NM1*85");
  const std::string other_provider =
      "HL*3**20*1~NM1*85*2*OTHER*****XX*1999999984~HL*4*3*22*0~NM1*PR*2*SAMPLE*****PI*SAMPLE-60~";
  const auto found =
      claims(closed(kOpen + foreign + kSubscriber + kClaim + other_provider + replaced(kClaim, "C-1", "C-2")));
  BOOST_REQUIRE(found.size() == 2u);
  BOOST_TEST(value(found[0], "currency") == "CAD");
  BOOST_TEST(value(found[1], "currency") == "(none)");
}

BOOST_AUTO_TEST_CASE(an_837i_gives_bill_stay_and_codes) {
  const auto found = claims(
      closed(kOpen + kProvider + kSubscriber +
             "CLM*I-1*89.95***11:A:1~DTP*096*TM*1130~DTP*434*RD8*20261001-20261004~DTP*435*DT*202609301845~CL1*1*7*01~"
             "REF*EA*CH-9~HI*ABK:E119:::::::Y~HI*ABF:I10:::::::N*ABF:Z0000~HI*DR:470~HI*BI:74:RD8:20261002-20261003~"
             "HI*BH:11:D8:20260929~HI*BE:80:::3*BE:A2:::12.5~HI*BG:09*BG:C5~NM1*71*1*SAMPLE*SAMPLE****XX*1234567893~"
             "NM1*72*1*SAMPLE*SAMPLE****XX*1999999984~SBR*S*18~NM1*71*1*OTHER*O****XX*1000000004~"
             "LX*1~SV2*0305*HC:85025:91*13.4*UN*1~DTP*472*D8*20260928~LX*2~SV2*0120**76.55*DA*3~"));
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].fault == "");
  const std::map<std::string, std::string> expected{{"claim_type", "institutional"},
                                                    {"claim_identifier", "I-1"},
                                                    {"chart_identifier", "CH-9"},
                                                    {"type_of_bill", "111"},
                                                    {"claim_frequency_code", "1"},
                                                    {"servicer_npi", "1234567893"},  // the attending provider
                                                    {"attending_npi", "1234567893"},
                                                    {"operating_npi", "1999999984"},
                                                    {"date_of_service", "2026-10-01"},  // of the statement
                                                    {"statement_from", "2026-10-01"},
                                                    {"statement_through", "2026-10-04"},
                                                    {"admission_date", "2026-09-30"},
                                                    {"discharge_date", "2026-10-04"},
                                                    {"admission_type", "1"},
                                                    {"admission_source", "7"},
                                                    {"patient_status", "01"},
                                                    {"drg", "470"},
                                                    {"diagnosis_codes[2]", "Z0000"},
                                                    {"present_on_admission[0]", "Y"},
                                                    {"present_on_admission[1]", "N"},
                                                    {"present_on_admission[2]", "(none)"},
                                                    {"condition_codes[0]", "09"},
                                                    {"condition_codes[1]", "C5"},
                                                    {"occurrence_codes[0].code", "11"},
                                                    {"occurrence_codes[0].date", "2026-09-29"},
                                                    {"occurrence_spans[0].code", "74"},
                                                    {"occurrence_spans[0].from", "2026-10-02"},
                                                    {"occurrence_spans[0].through", "2026-10-03"},
                                                    {"value_codes[0].code", "80"},
                                                    {"value_codes[0].amount", "3"},
                                                    {"value_codes[1].amount", "12.5"},
                                                    {"place_of_service", "(none)"},
                                                    {"service_lines[0].revenue_code", "0305"},
                                                    {"service_lines[0].cpt", "85025"},
                                                    {"service_lines[0].modifier", "91"},
                                                    {"service_lines[1].revenue_code", "0120"},
                                                    {"service_lines[1].cpt", "(none)"}};
  for (const auto& [field, text] : expected) BOOST_TEST(value(found[0], field) == text, field);
}

BOOST_AUTO_TEST_CASE(codes_of_another_form_are_omitted_and_a_professional_claim_has_none) {
  const std::string codes =
      "CL1*X*??*ABC~HI*DR:4*BG:9*BH:11:D8*BI:7:RD8:20261001-20261002*BE:80~NM1*71*1*SAMPLE*S****24*123456789~";
  const auto odd =
      claims(closed(kOpen + kProvider + kSubscriber + "CLM*I-1*10***0A:A:1~" + codes + "LX*1~SV2*X**10*UN*1~"));
  BOOST_REQUIRE(odd.size() == 1u);
  BOOST_TEST(value(odd[0], "claim_type") == "institutional");
  for (const char* field : {"type_of_bill", "admission_type", "admission_source", "patient_status", "drg",
                            "condition_codes[0]", "occurrence_codes[0].code", "occurrence_spans[0].code",
                            "value_codes[0].code", "attending_npi", "service_lines[0].revenue_code"})
    BOOST_TEST(value(odd[0], field) == "(none)", field);
  const auto professional = claims(closed(kOpen + kProvider + kSubscriber +
                                          "CLM*C-1*10***11:B:1~HI*ABK:E119:::::::Y*BG:09~DTP*434*D8*20261001~"
                                          "LX*1~SV1*HC:99213*10*UN*1~"));
  for (const char* field :
       {"claim_type", "type_of_bill", "statement_from", "condition_codes[0]", "present_on_admission[0]"})
    BOOST_TEST(value(professional.at(0), field) == "(none)", field);
}

BOOST_AUTO_TEST_CASE(an_institutional_claim_has_revenue_lines_and_a_statement_period) {
  const auto found = claims(closed(kOpen + kProvider + kSubscriber +
                                   "CLM*I-1*89.95***13:A:1~DTP*434*RD8*20261001-20261004~LX*1~SV2*0305*HC:85025*13.4*"
                                   "UN*1~LX*2~SV2*0120**76.55*DA*3~"));
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(value(found[0], "date_of_service") == "2026-10-01");
  BOOST_TEST(value(found[0], "service_lines[0].cpt") == "85025");
  BOOST_TEST(value(found[0], "service_lines[0].amount") == "13.4");
  BOOST_TEST(value(found[0], "service_lines[1].cpt") == "(none)");
  BOOST_TEST(value(found[0], "service_lines[1].units") == "3");
}

BOOST_AUTO_TEST_CASE(parts_of_other_payers_are_not_the_claims) {
  const auto text =
      replaced(one_claim(), "LX*1~",
               "SBR*S*18~NM1*PR*2*OTHER*****PI*OTHER-1~NM1*82*1~NM1*77*2*OTHER SITE~DTP*472*D8*20200101~LX*1~");
  const auto found = claims(replaced(text, "SE*19", "SE*24"));
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(value(found[0], "patient_primary_payor_id") == "SAMPLE-80");
  BOOST_TEST(value(found[0], "servicer_npi") == "1234567893");
  BOOST_TEST(value(found[0], "facility") == "SAMPLE SITE");
  BOOST_TEST(value(found[0], "date_of_service") == "2026-11-02");
}

BOOST_AUTO_TEST_CASE(amounts_and_dates_are_written_as_the_service_wants_them) {
  const auto found = claims(replaced(replaced(replaced(one_claim(), "*130.5*", "*.5*"), "*100*UN*1*", "*40.*UN*.25*"),
                                     "20261110", "20261101"));
  BOOST_TEST(value(found[0], "submitted_amount") == "0.5");
  BOOST_TEST(value(found[0], "service_lines[0].amount") == "40");
  BOOST_TEST(value(found[0], "service_lines[0].units") == "0.25");
  BOOST_TEST(value(found[0], "date_of_submission") == "(none)");  // the file says to be older than the service
}

BOOST_AUTO_TEST_CASE(a_claim_that_cannot_be_taken_is_refused_alone_with_its_position) {
  const std::string good = "CLM*C-2*10***11:B:1~LX*1~SV1*HC:99213*10*UN*1~";
  const auto with = [&](const std::string& claim) {
    return claims(closed(kOpen + kProvider + kSubscriber + claim + good));
  };
  const std::vector<std::pair<std::string, std::string>> refused{
      {replaced(kClaim, ":B:1", ":B:8"), "CLM05-3 is 8"},
      {replaced(kClaim, "SV1*HC:99213:25:59", "SV3*AD:D0120"), "SV3"},
      {replaced(kClaim, "SV1*HC:87070", "SV1*HC:\xC3\xA9"), "SV101 has bytes other than printable ASCII"},
      {replaced(kClaim, "C-1", std::string("C\0-1", 4)), "CLM01 has bytes other than printable ASCII"},
      {replaced(kClaim, "C-1", std::string(81, 'x')), "CLM01 is longer than 80 characters"},
      {replaced(kClaim, "LX*1~", ""), "no LX before it"},
      {replaced(kClaim, "LX*2~", ""), "a line has a second service"}};
  for (const auto& [claim, problem] : refused) {
    const auto found = with(claim);
    BOOST_REQUIRE(found.size() == 2u);
    check_says(found[0].fault, problem);
    check_says(found[0].fault, "(segment ");
    BOOST_TEST(found[0].fields.empty());
    BOOST_TEST(value(found[1], "claim_identifier") == "C-2");
  }
}

BOOST_AUTO_TEST_CASE(an_irregular_envelope_is_reported_as_a_row_and_its_claims_are_read) {
  const auto whole = one_claim();
  const std::string again = whole.substr(kIsa.size());
  const std::vector<std::pair<std::string, std::string>> odd{
      {replaced(whole, "SE*19*", "SE*18*"), "SE01 does not have the count of 19 segments"},
      {replaced(whole, "SE*19*0001", "SE*19*0002"), "SE02"},
      {replaced(whole, "GE*1*1", "GE*2*1"), "GE01"},
      {replaced(whole, "GE*1*1", "GE*1*7"), "GE02"},
      {replaced(whole, "IEA*1*000000001", "IEA*1*000000009"), "IEA02"},
      {replaced(whole, "GE*1*1~", ""), "no GE"},
      {replaced(again, "GE*1*1~IEA*1*000000001~", "") + whole, "the group before this ISA has no GE"},
      {replaced(whole, "IEA*1*000000001~", "") + whole, "no IEA"},
      {replaced(whole, "ST*837*0001", "ST*270*0002~SE*2*0002~ST*837*0001"), "not an 837"}};
  for (const auto& [text, problem] : odd) {
    std::string flags;
    bool has_claim = false;
    for (const auto& row : claims(text)) {
      flags += row.fault + '\n';
      has_claim |= value(row, "claim_identifier") == "C-1";
    }
    check_says(flags, problem);
    BOOST_TEST(has_claim, problem);
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_837_is_refused_with_position_and_reason) {
  for (const auto& text : {std::string("hello"), std::string("{}"), std::string("\xFF\xFEI\0S\0A\0", 8), std::string(),
                           kIsa.substr(0, 50)}) {
    const auto [found, why] = until_refused(text);
    BOOST_TEST(found.empty());
    BOOST_TEST(why != "");
  }
  check_says(until_refused(kIsa + "GS*HC*A*B*20261120*0800*1*X*005010~ST*270*1~SE*2*1~GE*1*1~IEA*1*1~").second,
             "no 837");
  check_says(until_refused(kIsa + "CLM*1*1~").second, "outside every transaction");
  check_says(until_refused(kIsa + "GS*" + std::string(20'000, 'x')).second, "longer than 16384 bytes");
  BOOST_TEST(refused("x12_837", one_claim(), {{"claim_identifier", "CLM01"}}).message.find("remove mapping") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_file_cut_at_any_byte_gives_whole_claims_and_says_that_it_is_cut) {
  const auto whole = closed(kOpen + kProvider + kSubscriber + kClaim + replaced(kClaim, "C-1", "C-2"));
  const auto expected = claims(whole);
  BOOST_REQUIRE(expected.size() == 2u);
  const auto last = whole.find_last_not_of('~');
  for (std::size_t length = 0; length <= last; ++length) {
    const auto [found, why] = until_refused(whole.substr(0, length));
    BOOST_TEST_CONTEXT("cut behind byte " << length << ": " << why) {
      BOOST_TEST(why != "");
      BOOST_REQUIRE(found.size() <= 2u);
      for (std::size_t i = 0; i < found.size(); ++i)
        BOOST_TEST((found[i].fault != "" || found[i].fields == expected[i].fields));
    }
  }
  BOOST_TEST(until_refused(whole).second == "");
}

BOOST_AUTO_TEST_CASE(files_of_many_claims_give_one_row_for_each) {
  for (const int count : {600, 820}) {
    std::string body = kOpen + kProvider;
    for (int i = 0; i < count; ++i) body += kSubscriber + replaced(kClaim, "C-1", "C-" + std::to_string(i));
    const auto found = claims(closed(body));
    BOOST_REQUIRE(found.size() == static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
      BOOST_REQUIRE(value(found[static_cast<std::size_t>(i)], "claim_identifier") == "C-" + std::to_string(i));
  }
}

BOOST_AUTO_TEST_CASE(published_files_are_read_claim_by_claim) {
  const fs::path folder = TIDEOVER_SOURCE_DIR "/../shared/data/x12_837";
  if (!fs::exists(folder)) {
    BOOST_TEST_MESSAGE("skipped: " << folder << " is not here");
    return;
  }
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    std::size_t there = 0;
    for (std::size_t at = text.find("CLM*"); at != std::string::npos; at = text.find("CLM*", at + 1))
      there += at == 0 || text[at - 1] == '~' || text[at - 1] == '\n';
    const auto [found, why] = until_refused(text);
    BOOST_TEST_CONTEXT(entry.path().filename() << ": " << why) {
      std::size_t read = 0;
      for (const auto& row : found) {
        read += value(row, "claim_identifier") != "(none)";
        if (!row.fault.empty()) BOOST_TEST_MESSAGE(entry.path().filename() << ": " << row.fault);
      }
      BOOST_TEST(why == "");
      BOOST_TEST(read == there);
    }
    ++files;
  }
  BOOST_TEST(files >= 20u);
}

BOOST_AUTO_TEST_SUITE_END()
