// The advice as documents: CSV, JSON, X12 835 and PDF.
#include <zlib.h>

#include <fstream>
#include <map>

#include "tests/usecases/payouts/advice_world.hpp"

using namespace tideover;
using domain::AdviceKind;
using domain::AdviceLine;
using tests::cents;
using tests::read_back;

namespace {

domain::DisbursementAttempt sample_payout(std::int64_t amount = 10'220) {
  domain::DisbursementAttempt payout;
  payout.id = domain::TransferId::trusted("trf_01M9ZP58B00000000000000041");
  payout.subject = domain::PaymentSubject::practice("1999999984");
  payout.purpose = domain::Purpose::payable;
  payout.state = domain::AttemptState::settled;
  payout.rail = "SAME_DAY";
  payout.amount = cents(amount);
  payout.effective_date = *domain::parse_date("2026-12-21");
  payout.created_at = payout.updated_at = *domain::parse_timestamp("2026-12-20T15:04:05Z");
  return payout;
}

AdviceLine sample_claim(const std::string& identifier = "CLM-1") {
  AdviceLine line;
  line.kind = AdviceKind::advanced_claim;
  line.claim_identifier = identifier;
  line.payer_id = "PAYER";
  line.trace_number = "T1";
  line.effective = *domain::parse_date("2026-12-18");
  line.payer_payment = cents(79'000);
  line.advance_recovered = cents(64'000);
  line.fee = cents(1'280);
  auto& claim = line.claim.emplace();
  claim.claim_identifier = identifier;
  claim.status = "1";
  claim.charge_amount = cents(100'000);
  claim.paid_amount = cents(79'000);
  claim.patient_responsibility = cents(1'000);
  claim.payer_claim_number = "ICN-7";
  claim.date_of_service = domain::parse_date("2026-12-01");
  domain::RemittanceLine service;
  service.cpt = "99213";
  service.modifier = "25:TC";
  service.units = "1";
  service.charge_amount = cents(100'000);
  service.allowed_amount = cents(80'000);
  service.paid_amount = cents(79'000);
  service.adjustments = {{"CO", "45", cents(20'000)}, {"PR", "3", cents(1'000)}};
  claim.lines = {service};
  return line;
}

AdviceLine carried(std::int64_t amount) {
  AdviceLine line;
  line.kind = AdviceKind::carried_forward;
  line.reference = "trf_01M9ZP58B00000000000000041";
  line.adjustment = cents(amount);
  line.effective = *domain::parse_date("2026-12-21");
  return line;
}

const domain::AdvicePayer kFunder{"Example Funder", "1999999999", "1 Main Street", "Springfield", "IL",
                                  "62701",          "2175550100"};

std::string inflated(const std::string& data) {
  std::string text(std::size_t{1} << 20, '\0');
  auto size = static_cast<uLongf>(text.size());
  if (uncompress(reinterpret_cast<Bytef*>(text.data()), &size, reinterpret_cast<const Bytef*>(data.data()),
                 static_cast<uLong>(data.size())) != Z_OK)
    return "";
  text.resize(size);
  return text;
}

/// The texts of all pages, one per line, without the escapes of PDF.
std::string text_of_pdf(const std::string& pdf) {
  std::string text;
  for (std::size_t at = 0; (at = pdf.find("stream\r\n", at)) != std::string::npos; ++at) {
    if (pdf.compare(at - 3, 3, "end") == 0) continue;
    const auto begin = at + 8, end = pdf.find("\r\nendstream", begin) == std::string::npos
                                         ? pdf.find("\nendstream", begin)
                                         : pdf.find("\r\nendstream", begin);
    const auto page = inflated(pdf.substr(begin, end - begin));
    for (std::size_t open = 0; (open = page.find('(', open)) != std::string::npos;) {
      for (++open; open < page.size() && page[open] != ')'; ++open) {
        if (page[open] != '\\') {
          text += page[open];
        } else if (page[open + 1] >= '0' && page[open + 1] <= '7') {
          text += static_cast<char>(std::stoi(page.substr(open + 1, 3), nullptr, 8));
          open += 3;
        } else {
          text += page[++open];
        }
      }
      text += '\n';
    }
  }
  return text;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

std::string pdf_of(std::size_t lines, const std::string& name = "Example Funder") {
  const auto document = wire::pdf_advice({sample_payout(), {name, "1999999999"}});
  for (std::size_t i = 0; i < lines; ++i) document->add(sample_claim("CLM-" + std::to_string(i)));
  return document->finish();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(advice_documents)

BOOST_AUTO_TEST_CASE(csv_has_one_row_for_each_line_and_no_formula) {
  const auto document = wire::csv_advice();
  auto line = sample_claim("=CLM(1)");
  line.settlement = domain::SettlementId::trusted("stl_1");
  document->add(line);
  document->add(carried(-3'500));
  BOOST_TEST(
      document->finish() ==
      "kind,claim_identifier,payer_claim_number,settlement_id,payer_id,remittance_id,trace_number,code,reference,"
      "effective_on,payer_payment,advance_recovered,fee,adjustment,amount\r\n"
      "advanced_claim,'=CLM(1),ICN-7,stl_1,PAYER,,T1,,,2026-12-18,790.00,640.00,12.80,0.00,137.20\r\n"
      "carried_forward,,,,,,,,trf_01M9ZP58B00000000000000041,2026-12-21,0.00,0.00,0.00,-35.00,-35.00\r\n");
}

BOOST_AUTO_TEST_CASE(json_has_the_payout_its_lines_and_their_totals) {
  const auto document = wire::json_advice({sample_payout(), kFunder, true});
  document->add(sample_claim());
  document->add(carried(-3'500));
  BOOST_TEST(
      document->finish() ==
      R"({"transfer_id":"trf_01M9ZP58B00000000000000041","payee_npi":"1999999984","amount":102.20,"rail":"SAME_DAY",)"
      R"("effective_date":"2026-12-21","created_at":"2026-12-20T15:04:05.000Z","status":"settled",)"
      R"("updated_at":"2026-12-20T15:04:05.000Z","simulated":true,"payer_name":"Example Funder","lines":[)"
      R"({"kind":"advanced_claim","claim_identifier":"CLM-1","payer_claim_number":"ICN-7","payer_id":"PAYER",)"
      R"("trace_number":"T1","effective_on":"2026-12-18","payer_payment":790.00,"advance_recovered":640.00,)"
      R"("fee":12.80,"adjustment":0.00,"amount":137.20},{"kind":"carried_forward",)"
      R"("reference":"trf_01M9ZP58B00000000000000041","effective_on":"2026-12-21","payer_payment":0.00,)"
      R"("advance_recovered":0.00,"fee":0.00,"adjustment":-35.00,"amount":-35.00}],"totals":{"payer_payment":790.00,)"
      R"("advance_recovered":640.00,"fee":12.80,"adjustment":-35.00,"amount":102.20}})");
}

BOOST_AUTO_TEST_CASE(x12_has_the_claim_as_decided_and_the_deductions_as_provider_adjustments) {
  const auto document = wire::x12_advice({sample_payout(), kFunder, true});
  document->add(sample_claim());
  document->add(carried(-3'500));
  const auto text = document->finish();
  const auto body = text.substr(text.find("ST*"), text.find("GE*") - text.find("ST*"));
  BOOST_TEST(body ==
             "ST*835*0001~\n"
             "BPR*I*102.2*C*ACH*CCP*****1999999999******20261221~\n"
             "TRN*1*trf_01M9ZP58B00000000000000041*1999999999~\n"
             "DTM*405*20261220~\n"
             "N1*PR*Example Funder~\nN3*1 Main Street~\nN4*Springfield*IL*62701~\nPER*BL**TE*2175550100~\n"
             "N1*PE*1999999984*XX*1999999984~\n"
             "LX*1~\n"
             "CLP*CLM-1*1*1000*790*10*ZZ*ICN-7~\n"
             "NM1*QC*1~\n"
             "SVC*HC:99213:25:TC*1000*790**1~\n"
             "DTM*472*20261201~\n"
             "CAS*CO*45*200~\n"
             "CAS*PR*3*10~\n"
             "AMT*B6*800~\n"
             "PLB*1999999984*20261231*AP:CLM-1*640*AH:CLM-1*12.8*FB:trf_01M9ZP58B00000000000000041*35~\n"
             "SE*19*0001~\n");
  BOOST_TEST(text.find("*T*:~\nGS*HP*1999999999*1999999984*20261220*1504*") != std::string::npos, text);
  plugin_test::RemittanceReader reader;
  reader.set_local(2026, 12, 20, 12 * 60);
  const auto draft = read_back(reader, text, sample_payout());
  BOOST_TEST(draft.payer_name == "Example Funder");
  BOOST_TEST(draft.is_test);
}

BOOST_AUTO_TEST_CASE(x12_stays_well_formed_whatever_the_texts_are) {
  auto line = sample_claim("A*B~C:D^E\xC3\xA9\n");
  line.claim->adjustments.clear();
  line.claim->lines.front().adjustments.clear();
  for (int i = 0; i < 13; ++i) line.claim->lines.front().adjustments.push_back({"C*", "4~5", cents(1'615)});
  line.claim->lines.front().adjustments.push_back({"PR", "3", cents(5)});
  BOOST_REQUIRE(domain::is_consistent(*line.claim));
  auto nameless = sample_claim("*~");
  auto other = carried(700);
  other.kind = AdviceKind::provider_adjustment;
  other.code = "~~";
  other.reference = std::string(90, ':') + "R";
  auto payout = sample_payout(2 * 13'720 + 700);
  payout.rail = "RTP";
  const auto document = wire::x12_advice({payout, {"\xE2\x82\xAC*", "1999999999"}});
  for (const auto& one : {line, nameless, other}) document->add(one);
  const auto text = document->finish();
  BOOST_TEST(text.find("*C*BOP*") != std::string::npos);
  BOOST_TEST(text.find("CLP*A B C D E??") != std::string::npos, text);
  BOOST_TEST(count_of(text, "CAS*C*4 5*16.15") == 3u, text);  // 13 reasons, six in a segment
  BOOST_TEST(text.find("CLP*0*1*") != std::string::npos, text);
  BOOST_TEST(text.find("CS*-7~") != std::string::npos, text);
  plugin_test::RemittanceReader reader;
  const auto payments = reader.read(text);
  BOOST_REQUIRE(payments.size() == 1u);
  BOOST_TEST(domain::balance_of(payments.front()).balanced());
  BOOST_TEST(payments.front().claims.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_pdf_shows_the_payout_each_line_and_the_totals) {
  const auto document = wire::pdf_advice({sample_payout(), kFunder, true});
  document->add(sample_claim());
  document->add(carried(-3'500));
  const auto text = text_of_pdf(document->finish());
  for (const char* part :
       {"1999999984", "USD 102.20", "trf_01M9ZP58B00000000000000041", "2026-12-21", "SAME_DAY", "settled",
        "Example Funder", "CLM-1", "790.00", "-640.00", "-12.80", "137.20", "-35.00", "2 lines", "Page 1 of 1"})
    BOOST_TEST(text.find(part) != std::string::npos, part << " is missing in " << text);
}

BOOST_AUTO_TEST_CASE(a_pdf_has_every_line_once_on_numbered_pages) {
  // 27 rows on the first page, 33 on each other one; the totals need no page of their own.
  const std::map<std::size_t, std::size_t> expected{{0, 1}, {1, 1}, {27, 1}, {28, 2}, {60, 2}, {61, 3}, {500, 16}};
  for (const auto& [lines, expected_pages] : expected) {
    const auto pdf = pdf_of(lines);
    const auto text = text_of_pdf(pdf);
    const auto pages = count_of(pdf, "/Type /Page\n") + count_of(pdf, "/Type /Page\r");
    BOOST_TEST_CONTEXT(lines << " lines, " << pages << " pages") {
      BOOST_TEST(pages == expected_pages);
      BOOST_TEST(count_of(text, "CLM-") == lines);
      BOOST_TEST(count_of(text, "Total\n") == 1u);
      BOOST_TEST(count_of(text, " of " + std::to_string(pages) + "\n") == pages);
      BOOST_TEST(text.find("Page " + std::to_string(pages) + " of ") != std::string::npos);
    }
  }
  BOOST_TEST(pdf_of(30) == pdf_of(30));  // without the time of its making
}

BOOST_AUTO_TEST_CASE(a_pdf_survives_every_text) {
  const std::string longest(300, 'W');
  const auto foreign = wire::pdf_advice({sample_payout(), kFunder});
  foreign->add(sample_claim("\xC3\x89\xE2\x82\xAC"));
  BOOST_TEST(text_of_pdf(foreign->finish()).find("\xC9?\n") != std::string::npos);
  BOOST_TEST(
      text_of_pdf(pdf_of(1, "Caf\xC3\xA9 (\\) \xE2\x82\xAC\xF0\x9F\x92\xB0 \xFF\x01")).find("Caf\xE9 (\\) ?? ??") !=
      std::string::npos);
  const auto document = wire::pdf_advice({sample_payout(), kFunder});
  document->add(sample_claim(longest));
  const auto text = text_of_pdf(document->finish());
  BOOST_TEST(text.find("WWW...") != std::string::npos);
  BOOST_TEST(text.find(longest) == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
