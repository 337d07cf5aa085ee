// The headers If-Match and If-None-Match (RFC 9110 section 13).
#include <boost/test/unit_test.hpp>

#include "core/http/entity_tags.hpp"

using namespace tideover;
using namespace tideover::http;

namespace {

using Sent = std::vector<std::string>;  // one header field each

Headers headers_of(const std::string& name, const Sent& values) {
  Headers headers;
  for (const auto& value : values) headers.add(name, value);
  return headers;
}

bool unchanged(const Sent& if_none_match, const std::string& method = "GET", int status = 200,
               const std::string& tag = "\"v7\"") {
  Request request;
  request.method = method;
  request.headers = headers_of("if-none-match", if_none_match);
  Response response;
  response.status = status;
  if (!tag.empty()) response.headers.add("ETag", tag);
  return is_unchanged(request, response);
}

/// Whether an object of version 7 may be changed; nullopt: the header is refused.
std::optional<bool> may_change(const Sent& if_match) {
  const auto expected = expected_by<int>(headers_of("If-Match", if_match), version_tag);
  if (!expected) {
    BOOST_TEST((expected.error().code == domain::ErrorCode::invalid_parameter));
    BOOST_TEST(expected.error().fields.front().path == "If-Match");
    return std::nullopt;
  }
  return !*expected || (*expected)(7);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(entity_tags)

BOOST_AUTO_TEST_CASE(if_none_match_compares_weakly) {
  for (const Sent& header :
       {Sent{"\"v7\""}, Sent{"W/\"v7\""}, Sent{"*"}, Sent{" * "}, Sent{"\"v6\", \"v7\""}, Sent{"\"v6\",W/\"v7\" , "},
        Sent{",, \"v7\""}, Sent{"\"v6\"", "\"v7\""}, Sent{"\"a,b\", \"v7\""}})
    BOOST_TEST(unchanged(header), header.front());
  for (const Sent& header : {Sent{}, Sent{"\"v6\""}, Sent{"\"V7\""}, Sent{"v7"}, Sent{"\"v7"}, Sent{"w/\"v7\""},
                             Sent{"\"v6\" \"v7\""}, Sent{"*, \"v7\""}, Sent{""}, Sent{","}, Sent{"\"v6\", v7"}})
    BOOST_TEST(!unchanged(header), (header.empty() ? "no header" : header.front()));
  BOOST_TEST(unchanged({"\"v7\""}, "GET", 200, "W/\"v7\""));
}

BOOST_AUTO_TEST_CASE(only_a_read_of_an_object_with_a_tag_can_be_unchanged) {
  BOOST_TEST(unchanged({"*"}, "HEAD"));
  BOOST_TEST(!unchanged({"*"}, "PATCH"));
  BOOST_TEST(!unchanged({"*"}, "POST"));
  BOOST_TEST(!unchanged({"*"}, "GET", 404));
  BOOST_TEST(!unchanged({"*"}, "GET", 200, ""));
}

BOOST_AUTO_TEST_CASE(if_match_compares_strongly) {
  for (const Sent& header : {Sent{}, Sent{"*"}, Sent{"\"v7\""}, Sent{"\"v1\", \"v7\""}, Sent{"\"v1\"", "\"v7\""},
                             Sent{"\"other\" , \"v7\","}, Sent{"W/\"v7\", \"v7\""}})
    BOOST_TEST(may_change(header).value(), (header.empty() ? "no header" : header.front()));
  for (const Sent& header : {Sent{"\"v6\""}, Sent{"W/\"v7\""}, Sent{"\"v70\""}, Sent{"\"\""}, Sent{"\"V7\""}})
    BOOST_TEST(!may_change(header).value(), header.front());
}

BOOST_AUTO_TEST_CASE(a_malformed_if_match_is_refused) {
  for (const Sent& header : {Sent{"v7"}, Sent{""}, Sent{","}, Sent{"\"v7"}, Sent{"\"v7\" \"v8\""}, Sent{"*, \"v7\""},
                             Sent{"\"v7\"", "x"}, Sent{"w/\"v7\""}, Sent{"\"v\x7f\""}, Sent{"\"a b\""}})
    BOOST_TEST(!may_change(header).has_value(), header.front());
}

BOOST_AUTO_TEST_CASE(a_tag_of_content_is_strong_and_changes_with_it) {
  const auto tag = content_tag("{}");
  BOOST_TEST(tag.size() == 34u);
  BOOST_TEST((tag.starts_with('"') && tag.ends_with('"')));
  BOOST_TEST(content_tag("{}") == tag);
  BOOST_TEST(content_tag("{ }") != tag);
  BOOST_TEST(*tagged(Reply{"{}"}).headers.find("ETag") == "W/" + tag);
}

BOOST_AUTO_TEST_SUITE_END()
