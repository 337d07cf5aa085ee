// The contract of the API in JSON.
#include <boost/test/unit_test.hpp>

#include "core/http/document/openapi_document.hpp"

using tideover::http::json_of_yaml;

BOOST_AUTO_TEST_SUITE(openapi_document)

BOOST_AUTO_TEST_CASE(scalars_have_the_types_of_the_core_schema) {
  BOOST_TEST(json_of_yaml("{a: true, b: 'true', c: 1, d: '1', e: -0.50, f: 1e3, g: null, h: ~, i: 'null', j: ''}") ==
             R"({"a":true,"b":"true","c":1,"d":"1","e":-0.50,"f":1e3,"g":null,"h":null,"i":"null","j":""})");
  BOOST_TEST(json_of_yaml("{a: 2026-01-31, b: 007, c: 1.2.3, d: no, e: 0x1f}") ==
             R"({"a":"2026-01-31","b":"007","c":"1.2.3","d":"no","e":"0x1f"})");
}

BOOST_AUTO_TEST_CASE(members_keep_their_order_and_status_codes_are_names) {
  BOOST_TEST(json_of_yaml("b: [x, {y: 1}]\na:\n  200: ok\n  '404': |\n    two\n    lines\n") ==
             R"({"b":["x",{"y":1}],"a":{"200":"ok","404":"two\nlines\n"}})");
}

BOOST_AUTO_TEST_SUITE_END()
