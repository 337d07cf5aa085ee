// Origins of web pages: as browsers write them and no other way, because they are compared as texts.
#include <boost/test/unit_test.hpp>

#include "core/settings/origin.hpp"
#include "tests/settings/loading.hpp"

using tideover::settings::is_origin;
using tideover::testing::complaints;
using tideover::testing::loaded;

BOOST_AUTO_TEST_SUITE(settings_origin)

BOOST_AUTO_TEST_CASE(an_origin_is_scheme_host_and_a_port_that_is_not_the_default) {
  for (const char* text : {"https://app.example.com", "https://app.example.com:8443", "http://localhost:3000",
                           "http://127.0.0.1", "http://[::1]:3000", "https://xn--bcher-kva.example"})
    BOOST_TEST(is_origin(text), text);
  for (const char* text : {"",
                           "*",
                           "null",
                           "app.example.com",
                           "ftp://app.example.com",
                           "https://",
                           "https://:8443",
                           "HTTPS://app.example.com",
                           "https://App.example.com",
                           "https://app.example.com/",
                           "https://app.example.com/x",
                           "https://app.example.com:443",
                           "http://app.example.com:80",
                           "https://app.example.com:",
                           "https://app.example.com:0",
                           "https://app.example.com:08443",
                           "https://app.example.com:65536",
                           "https://*.example.com",
                           "https://a@app.example.com",
                           "https://.example.com",
                           "https://app..com",
                           "https://app.example.com.",
                           "http://[::1",
                           "http://[]",
                           "http://::1",
                           "https://app example.com"})
    BOOST_TEST(!is_origin(text), text);
}

BOOST_AUTO_TEST_CASE(origins_are_a_list_in_which_each_is_once) {
  BOOST_TEST(loaded("").server.cors_origins.empty());
  BOOST_TEST(loaded("server: { cors_origins: }\n").server.cors_origins.empty());
  BOOST_TEST((loaded("server: { cors_origins: [https://a.example, \"http://[::1]:3000\"] }\n").server.cors_origins ==
              std::vector<std::string>{"https://a.example", "http://[::1]:3000"}));
  BOOST_TEST(complaints("server: { cors_origins: https://a.example }\n") ==
             "f:1:25: expected a list of at most 100 origins, such as [https://app.example.com]\n");
  BOOST_TEST(
      complaints("server: { cors_origins: [https://a.example, https://a.example/] }\n") ==
      "f:1:45: expected an origin as browsers send it, such as https://app.example.com or http://127.0.0.1:3000: no "
      "path, no capital letters, no default port; got 'https://a.example/'\n");
  BOOST_TEST(complaints("server: { cors_origins: [https://a.example, https://a.example] }\n") ==
             "f:1:45: the origin 'https://a.example' is listed twice\n");
}

BOOST_AUTO_TEST_CASE(production_allows_encrypted_origins_only) {
  const std::string origins = "server: { cors_origins: [https://a.example, http://127.0.0.1:3000] }\n";
  BOOST_TEST(complaints(origins) == "");
  BOOST_TEST(complaints("environment: production\n" + origins) ==
             "f:2:25: 'server.cors_origins': 'http://127.0.0.1:3000' is not encrypted; production allows https only\n");
}

BOOST_AUTO_TEST_SUITE_END()
