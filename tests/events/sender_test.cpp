// The connection itself: what the URL check cannot see.
#include "core/events/sender.hpp"

#include <stdlib.h>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <thread>

#include "tests/events/self_signed_server.hpp"
#include "tests/support/webhook_receiver/webhook_receiver.hpp"

using tideover::events::EgressPolicy;
using tideover::events::Sender;
using tideover::test::SelfSignedServer;
using tideover::test::WebhookReceiver;

namespace {

const EgressPolicy kSandbox{.allow_loopback_http = true};

Sender::Answer only_answer(Sender& sender, const std::string& url) {
  sender.start(1, {url, {"Expect:"}, "{}"});
  const auto answers = sender.wait(std::chrono::seconds(10));
  BOOST_REQUIRE(answers.size() == 1u);
  BOOST_TEST(answers[0].ticket == 1u);
  BOOST_TEST(sender.in_flight() == 0u);
  return answers[0];
}

/// Sets environment variables and takes them back.
struct ProxyEnvironment {
  explicit ProxyEnvironment(const std::string& proxy) {
    for (const char* name : kNames) ::setenv(name, proxy.c_str(), 1);
  }
  ~ProxyEnvironment() {
    for (const char* name : kNames) ::unsetenv(name);
  }
  static constexpr const char* kNames[] = {"http_proxy", "https_proxy", "all_proxy", "ALL_PROXY", "HTTPS_PROXY"};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(sender)

BOOST_AUTO_TEST_CASE(a_name_that_resolves_to_an_inner_address_is_refused_at_connect_time) {
  WebhookReceiver receiver;
  Sender sender(EgressPolicy{.ports = {443, receiver.port()}}, 2000);
  const auto answer = only_answer(sender, "https://localhost:" + std::to_string(receiver.port()) + "/");
  BOOST_TEST(answer.status == 0);
  BOOST_TEST(answer.problem.find("not allowed for webhooks") != std::string::npos, answer.problem);
  BOOST_TEST(receiver.connections() == 0u);
}

BOOST_AUTO_TEST_CASE(odd_spellings_of_inner_addresses_are_refused_at_connect_time_too) {
  WebhookReceiver receiver;
  const std::string port = ":" + std::to_string(receiver.port()) + "/";
  for (const std::string host : {"2130706433", "0x7f.1", "017700000001", "127.1", "[::ffff:127.0.0.1]", "0"}) {
    Sender sender(EgressPolicy{.ports = {receiver.port()}}, 2000);
    BOOST_TEST(only_answer(sender, "https://" + host + port).status == 0, host);
  }
  BOOST_TEST(receiver.connections() == 0u);
}

BOOST_AUTO_TEST_CASE(plain_http_is_not_spoken_where_loopback_is_not_allowed) {
  WebhookReceiver receiver;
  Sender sender(EgressPolicy{}, 2000);
  BOOST_TEST(only_answer(sender, receiver.url()).status == 0);
  BOOST_TEST(receiver.connections() == 0u);
}

BOOST_AUTO_TEST_CASE(a_proxy_in_the_environment_is_not_used) {
  WebhookReceiver proxy;
  WebhookReceiver receiver;
  const ProxyEnvironment environment(proxy.url(""));
  Sender sender(kSandbox, 2000);
  BOOST_TEST(only_answer(sender, receiver.url()).status == 200);
  BOOST_TEST(proxy.connections() == 0u);
}

BOOST_AUTO_TEST_CASE(a_redirect_is_an_answer_and_is_not_followed) {
  WebhookReceiver inner;
  WebhookReceiver receiver;
  receiver.always(WebhookReceiver::Answer::with(307, {"Location: " + inner.url()}));
  Sender sender(kSandbox, 2000);
  BOOST_TEST(only_answer(sender, receiver.url()).status == 307);
  BOOST_TEST(inner.connections() == 0u);
}

BOOST_AUTO_TEST_CASE(a_receiver_without_tls_does_not_get_a_body_meant_for_https) {
  WebhookReceiver receiver;
  Sender sender(kSandbox, 500);
  const auto answer = only_answer(sender, "https://127.0.0.1:" + std::to_string(receiver.port()) + "/");
  BOOST_TEST(answer.status == 0);
  BOOST_TEST(receiver.requests().empty());
}

BOOST_AUTO_TEST_CASE(a_receiver_with_an_untrusted_certificate_gets_nothing) {
  SelfSignedServer impostor;
  Sender sender(kSandbox, 2000);
  const auto answer = only_answer(sender, impostor.url());
  BOOST_TEST(answer.status == 0);
  BOOST_TEST(answer.problem.find("certificate") != std::string::npos, answer.problem);
  BOOST_TEST(impostor.received() == "");
}

BOOST_AUTO_TEST_CASE(an_answer_that_never_ends_counts_once_its_head_is_there) {
  WebhookReceiver receiver;
  receiver.always({202, {}, 0, WebhookReceiver::Answer::Manner::head_then_silence});
  Sender sender(kSandbox, 300);
  BOOST_TEST(only_answer(sender, receiver.url()).status == 202);
}

BOOST_AUTO_TEST_CASE(many_tries_share_one_thread_and_a_wake_ends_the_wait) {
  WebhookReceiver receiver;
  receiver.always(WebhookReceiver::Answer::held());
  Sender sender(kSandbox, 10'000);
  for (std::uint64_t ticket = 1; ticket <= 200; ++ticket) sender.start(ticket, {receiver.url(), {}, "{}"});
  bool all_came = false;
  std::thread other([&] {
    all_came = receiver.wait_for_requests(200);
    sender.wake();
  });
  const auto began = std::chrono::steady_clock::now();
  BOOST_TEST(sender.wait(std::chrono::seconds(20)).empty());
  BOOST_TEST((std::chrono::steady_clock::now() - began < std::chrono::seconds(4)));
  other.join();
  BOOST_TEST(all_came);
  BOOST_TEST(sender.in_flight() == 200u);
  receiver.release();
  std::size_t answered = 0;
  while (sender.in_flight() > 0) answered += sender.wait(std::chrono::seconds(10)).size();
  BOOST_TEST(answered == 200u);
}

BOOST_AUTO_TEST_SUITE_END()
