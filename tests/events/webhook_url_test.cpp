#include "core/events/webhook_url.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover;

namespace {

const events::EgressPolicy kProduction;
const events::EgressPolicy kSandbox{.allow_loopback_http = true};

struct Refusal {
  std::string url;
  const char* problem;  // part of the message to the client
};

void expect_refused(const std::vector<Refusal>& refusals) {
  for (const auto& refusal : refusals) {
    const auto checked = events::check_webhook_url(refusal.url, kProduction);
    BOOST_TEST(!checked, refusal.url << " must be refused");
    if (checked) continue;
    BOOST_TEST((checked.error().code == domain::ErrorCode::validation_error));
    BOOST_REQUIRE(checked.error().fields.size() == 1u);
    BOOST_TEST(checked.error().fields[0].path == "url");
    BOOST_TEST(checked.error().message.find(refusal.problem) != std::string::npos,
               refusal.url << ": " << checked.error().message);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(webhook_url)

BOOST_AUTO_TEST_CASE(ordinary_https_urls_are_accepted) {
  for (const char* url :
       {"https://hooks.example.com", "https://hooks.example.com/", "https://hooks.example.com:443/a/b?c=d&e=%20",
        "HTTPS://Hooks.Example.COM/x", "https://8.8.8.8/hook", "https://[2606:4700:4700::1111]/hook",
        "https://xn--bcher-kva.example/hook", "https://a-b.c1.example/@user", "https://example.com/?next=http://x@y"}) {
    BOOST_TEST(bool(events::check_webhook_url(url, kProduction)), url);
    BOOST_TEST(bool(events::check_webhook_url(url, kSandbox)), url);
  }
}

BOOST_AUTO_TEST_CASE(urls_of_another_form_are_refused_with_the_reason) {
  expect_refused({
      {"", "empty"},
      {"hooks.example.com/x", "https://"},
      {"ftp://example.com/", "https://"},
      {"file:///etc/passwd", "https://"},
      {"gopher://example.com/", "https://"},
      {"javascript:alert(1)", "https://"},
      {"//example.com/", "https://"},
      {"https:/example.com/", "https://"},
      {"http://example.com/", "https://"},
      {"http://8.8.8.8/", "https://"},
      {"https://", "no host"},
      {"https:///path", "no host"},
      {"https://:443/", "no host"},
      {"https://?x", "no host"},
      {"https://user@example.com/", "user name"},
      {"https://user:secret@example.com/", "user name"},
      {"https://example.com@10.0.0.1/", "user name"},
      {"https://example.com:443@10.0.0.1/", "user name"},
      {"https://example.com/#part", "fragment"},
      {"https://10.0.0.1#@example.com/", "fragment"},
      {"https://example.com/a b", "visible ASCII"},
      {" https://example.com/", "visible ASCII"},
      {"https://example.com/\r\nHost: inner", "visible ASCII"},
      {std::string("https://example.com/\0x", 22), "visible ASCII"},
      {"https://example.com\\@10.0.0.1/", "visible ASCII"},
      {"https://b\xc3\xbc"
       "cher.example/",
       "visible ASCII"},
      {"https://%31%30.0.0.1/", "percent"},
      {"https://example%2ecom/", "percent"},
      {"https://example.com/" + std::string(2048, 'a'), "longer than 2048"},
  });
}

BOOST_AUTO_TEST_CASE(hosts_that_cannot_be_used_are_refused_with_the_reason) {
  expect_refused({
      {"https://2130706433/", "four decimal numbers"},
      {"https://0x7f000001/", "four decimal numbers"},
      {"https://017700000001/", "four decimal numbers"},
      {"https://0x7f.1/", "four decimal numbers"},
      {"https://127.1/", "four decimal numbers"},
      {"https://0177.0.0.1/", "four decimal numbers"},
      {"https://127.0.0.01/", "four decimal numbers"},
      {"https://1.2.3.4.5/", "four decimal numbers"},
      {"https://256.1.1.1/", "four decimal numbers"},
      {"https://example.0x10/", "four decimal numbers"},
      {"https://127.0.0.1/", "this machine"},
      {"https://127.9.9.9/", "this machine"},
      {"https://[::1]/", "this machine"},
      {"https://localhost/", "this machine"},
      {"https://LOCALHOST/", "this machine"},
      {"https://10.0.0.1/", "is not public"},
      {"https://0.0.0.0/", "is not public"},
      {"https://169.254.169.254/latest/meta-data/", "is not public"},
      {"https://192.168.1.1/", "is not public"},
      {"https://172.20.0.1/", "is not public"},
      {"https://100.64.0.1/", "is not public"},
      {"https://[fd00::1]/", "is not public"},
      {"https://[fe80::1]/", "is not public"},
      {"https://[::ffff:10.0.0.1]/", "is not public"},
      {"https://[64:ff9b::a00:1]/", "is not public"},
      {"https://[2002:a00:1::]/", "is not public"},
      {"https://[::]/", "is not public"},
      {"https://[fe80::1%25eth0]/", "percent"},
      {"https://[::1/", "malformed"},
      {"https://[v1.x]/", "malformed"},
      {"https://intranet/", "full domain name"},
      {"https://printer.local/", "local network"},
      {"https://metadata.google.internal/", "local network"},
      {"https://foo.localhost/", "local network"},
      {"https://example..com/", "not a DNS name"},
      {"https://example.com./", "not a DNS name"},
      {"https://-a.example/", "not a DNS name"},
      {"https://exa_mple.com/", "not a DNS name"},
      {"https://example.com:25/", "port 25"},
      {"https://example.com:8080/", "port 8080"},
      {"https://example.com:0/", "port"},
      {"https://example.com:65536/", "malformed"},
      {"https://example.com:443x/", "malformed"},
      {"https://example.com:-1/", "malformed"},
  });
}

BOOST_AUTO_TEST_CASE(loopback_over_plain_http_is_for_the_sandbox) {
  for (const char* url :
       {"http://127.0.0.1:8080/hook", "http://localhost:9000/", "http://[::1]:3000/x", "http://127.0.0.1/"}) {
    BOOST_TEST(bool(events::check_webhook_url(url, kSandbox)), url);
    BOOST_TEST(!events::check_webhook_url(url, kProduction), url);
  }
  for (const char* url : {"http://example.com/", "http://10.0.0.1/", "http://169.254.169.254/", "http://0/",
                          "http://127.1/", "http://localhost.example.com/", "http://[::ffff:127.0.0.1]/"})
    BOOST_TEST(!events::check_webhook_url(url, kSandbox), url);
}

BOOST_AUTO_TEST_CASE(only_this_machine_itself_is_loopback_by_name) {
  for (const char* url :
       {"http://127.0.0.1:8080/hook", "https://127.255.0.9/", "http://LOCALHOST/", "http://[::1]:3000/x"})
    BOOST_TEST(events::destination_of(url).names_loopback, url);
  for (const char* url : {"https://127.example.com/", "https://127.0.0.1.example.com/",
                          "https://localhost.example.com/", "https://example.com/127.0.0.1"})
    BOOST_TEST(!events::destination_of(url).names_loopback, url);
  BOOST_TEST(!events::check_webhook_url("https://127.example.com:8443/", kSandbox),
             "a port that is only allowed on loopback");
}

BOOST_AUTO_TEST_CASE(further_ports_are_allowed_by_configuration) {
  const events::EgressPolicy policy{.ports = {443, 8443}};
  BOOST_TEST(bool(events::check_webhook_url("https://example.com:8443/", policy)));
  BOOST_TEST(!events::check_webhook_url("https://example.com:8444/", policy));
}

BOOST_AUTO_TEST_SUITE_END()
