// What the headers Accept, Content-Type and Prefer ask for.
#include <boost/test/unit_test.hpp>

#include "core/http/media_type.hpp"

using namespace tideover::http;

namespace {

bool accepts(const std::string& accept) {
  return accepts_json(&accept);
}
bool wants_problem(const std::string& accept) {
  return wants_problem_json(&accept);
}
bool strict(const std::string& prefer) {
  return prefers_strict_handling(&prefer);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(media_type)

BOOST_AUTO_TEST_CASE(json_is_accepted_by_name_by_range_and_by_silence) {
  BOOST_TEST(accepts_json(nullptr));
  for (const char* accept : {"", "*/*", "application/*", "application/json", "APPLICATION/JSON; charset=utf-8",
                             "text/html, application/json;q=0.1", "application/problem+json", "text/html, */*;q=0.001"})
    BOOST_TEST(accepts(accept), accept);
  for (const char* accept : {"text/html", "application/xml", "application/jsonx", "text/*"})
    BOOST_TEST(!accepts(accept), accept);
}

BOOST_AUTO_TEST_CASE(a_weight_of_zero_refuses) {
  for (const char* accept : {"application/json;q=0", "application/json; Q=0.000", "*/*;q=0",
                             "application/json;charset=utf-8;q=0.0", "application/json;q=0, text/html"})
    BOOST_TEST(!accepts(accept), accept);
  // The most specific range counts, whatever the order.
  BOOST_TEST(accepts("*/*;q=0, application/json"));
  BOOST_TEST(accepts("application/json, */*;q=0"));
  BOOST_TEST(!accepts("*/*, application/json;q=0, application/problem+json;q=0"));
}

BOOST_AUTO_TEST_CASE(a_problem_document_must_be_asked_for_by_name) {
  BOOST_TEST(wants_problem("application/json, application/problem+json"));
  BOOST_TEST(!wants_problem("application/problem+json;q=0, application/json"));
  BOOST_TEST(!wants_problem("*/*"));
  BOOST_TEST(!wants_problem_json(nullptr));
}

BOOST_AUTO_TEST_CASE(csv_must_be_asked_for_by_name) {
  const std::string csv = "text/csv;q=0.5, */*", any = "text/*", refused = "text/csv;q=0";
  BOOST_TEST(wants_csv(&csv));
  BOOST_TEST(!wants_csv(&any));
  BOOST_TEST(!wants_csv(&refused));
  BOOST_TEST(!wants_csv(nullptr));
}

BOOST_AUTO_TEST_CASE(x12_and_pdf_of_a_list_of_formats_must_be_asked_for_by_name) {
  const std::string x12 = "application/EDI-X12, */*", pdf = "application/pdf", any = "application/*, */*";
  BOOST_TEST(wants_x12(&x12));
  BOOST_TEST(!wants_x12(&pdf));
  BOOST_TEST(wants_pdf(&pdf));
  BOOST_TEST(!wants_pdf(&x12));
  for (const auto* accept : {&any, static_cast<const std::string*>(nullptr)}) {
    BOOST_TEST(!wants_x12(accept));
    BOOST_TEST(!wants_pdf(accept));
  }
}

BOOST_AUTO_TEST_CASE(x12_is_acceptable_by_name_and_by_wildcard) {
  const std::string named = "application/edi-x12", any = "*/*", json = "application/json",
                    refused = "application/edi-x12;q=0";
  BOOST_TEST(accepts_x12(&named));
  BOOST_TEST(accepts_x12(&any));
  BOOST_TEST(accepts_x12(nullptr));
  BOOST_TEST(!accepts_x12(&json));
  BOOST_TEST(!accepts_x12(&refused));
}

BOOST_AUTO_TEST_CASE(a_type_is_accepted_by_name_by_range_and_by_silence) {
  BOOST_TEST(accepts("text/html", nullptr));
  for (const std::string accept : {"", "*/*", "text/*", "application/json, text/html;q=0.1"})
    BOOST_TEST(accepts("text/html", &accept), accept);
  for (const std::string accept : {"application/json", "text/htmlx", "text/html;q=0, */*"})
    BOOST_TEST(!accepts("text/html", &accept), accept);
}

BOOST_AUTO_TEST_CASE(gzip_is_accepted_by_name_or_wildcard_and_not_by_silence) {
  BOOST_TEST(!accepts_gzip(nullptr));
  for (const std::string codings : {"gzip", "br, GZIP;q=0.5", "x-gzip", "*", "identity;q=0, *;q=0.1"})
    BOOST_TEST(accepts_gzip(&codings), codings);
  for (const std::string codings :
       {"", "br", "identity", "gzip;q=0", "*, gzip;q=0", "gzip;q=0.000, *", "gzipped", "*;q=0"})
    BOOST_TEST(!accepts_gzip(&codings), codings);
}

BOOST_AUTO_TEST_CASE(json_lines_must_be_asked_for_by_name) {
  const std::string lines = "application/x-ndjson", other = "application/jsonl", any = "application/*";
  BOOST_TEST(wants_ndjson(&lines));
  BOOST_TEST(wants_ndjson(&other));
  BOOST_TEST(!wants_ndjson(&any));
  BOOST_TEST(!wants_ndjson(nullptr));
}

BOOST_AUTO_TEST_CASE(strict_handling_is_read_as_a_preference_and_not_as_a_text) {
  for (const char* prefer :
       {"handling=strict", "respond-async, Handling=Strict", "handling = \"strict\"; x=y", "wait=5,handling=strict"})
    BOOST_TEST(strict(prefer), prefer);
  for (const char* prefer : {"", "handling=lenient", "mishandling=strict", "handling=stricter", "x=\"handling=strict\"",
                             "handling=lenient, handling=strict", "handling"})
    BOOST_TEST(!strict(prefer), prefer);
  BOOST_TEST(!prefers_strict_handling(nullptr));
}

BOOST_AUTO_TEST_SUITE_END()
