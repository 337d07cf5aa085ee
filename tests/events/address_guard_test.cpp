#include "core/events/address_guard.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <boost/test/unit_test.hpp>

using namespace tideover::events;

namespace {

struct Address {
  explicit Address(const std::string& text, std::uint16_t port = 443) {
    auto* v4 = reinterpret_cast<sockaddr_in*>(&storage);
    auto* v6 = reinterpret_cast<sockaddr_in6*>(&storage);
    if (inet_pton(AF_INET, text.c_str(), &v4->sin_addr) == 1) {
      v4->sin_family = AF_INET;
      v4->sin_port = htons(port);
    } else {
      BOOST_REQUIRE_MESSAGE(inet_pton(AF_INET6, text.c_str(), &v6->sin6_addr) == 1, text);
      v6->sin6_family = AF_INET6;
      v6->sin6_port = htons(port);
    }
  }
  operator const sockaddr&() const { return reinterpret_cast<const sockaddr&>(storage); }
  sockaddr_storage storage{};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(address_guard)

BOOST_AUTO_TEST_CASE(internal_addresses_are_refused) {
  for (const char* text :
       {"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255",
        "127.0.0.1", "127.255.255.254", "168.63.129.16", "169.254.0.1", "169.254.169.254", "169.254.170.2",
        "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1",
        "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1",
        "239.255.255.255", "240.0.0.1", "255.255.255.255",
        // IPv6
        "::", "::1", "::2", "::127.0.0.1", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:10.0.0.1",
        "64:ff9b::10.0.0.1", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "100::1", "2001::1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:2::1", "2001:10::1", "2001:20::1", "2001:1ff:ffff::1",
        "2001:db8::1", "2001:db8:ffff::1", "2002:a00:1::1", "2002:7f00:1::1", "2002:808:808::1", "3fff::1",
        "3fff:fff::1", "4000::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fdff::1", "fe80::1", "febf::1", "fec0::1",
        "ff02::1", "ff0e::1", "1fff::1"})
    BOOST_TEST(!is_public_address(Address(text)), text << " must be refused");
}

BOOST_AUTO_TEST_CASE(addresses_of_the_internet_are_accepted) {
  for (const char* text :
       {"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.1", "168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0",
        "192.0.1.1", "192.0.3.1", "192.88.98.1", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
        "198.51.99.1", "203.0.112.1", "203.0.114.1", "223.255.255.255",
        // IPv6
        "2001:200::1", "2001:4860:4860::8888", "2001:db7:ffff::1", "2001:db9::1", "2003::1", "2400:cb00::1",
        "2606:4700:4700::1111", "2a00:1450::1", "3ffe:ffff::1", "3fff:1000::1"})
    BOOST_TEST(is_public_address(Address(text)), text << " must be accepted");
}

BOOST_AUTO_TEST_CASE(a_family_that_is_not_ip_is_refused) {
  sockaddr unix_socket{};
  unix_socket.sa_family = AF_UNIX;
  BOOST_TEST(!is_public_address(unix_socket));
  BOOST_TEST(!is_loopback_address(unix_socket));
}

BOOST_AUTO_TEST_CASE(loopback_is_reached_only_where_it_is_allowed) {
  constexpr Destination kInner{.plain_http = false, .names_loopback = true};
  constexpr Destination kPlainInner{.plain_http = true, .names_loopback = true};
  constexpr Destination kOuter;
  const EgressPolicy production;
  const EgressPolicy sandbox{.allow_loopback_http = true};
  for (const char* text : {"127.0.0.1", "127.8.8.8", "::1"}) {
    BOOST_TEST(!may_connect(production, kPlainInner, Address(text, 8080)));
    BOOST_TEST(!may_connect(production, kInner, Address(text)));
    BOOST_TEST(may_connect(sandbox, kPlainInner, Address(text, 8080)));
    BOOST_TEST(may_connect(sandbox, kInner, Address(text, 8443)));
    BOOST_TEST(!may_connect(sandbox, kOuter, Address(text)));  // a public name that resolves to this machine
  }
  BOOST_TEST(!may_connect(sandbox, kPlainInner, Address("10.0.0.1", 8080)));
  BOOST_TEST(!may_connect(sandbox, kOuter, Address("10.0.0.1")));
  BOOST_TEST(!may_connect(sandbox, kOuter, Address("::ffff:127.0.0.1")));
}

BOOST_AUTO_TEST_CASE(public_addresses_are_reached_over_tls_and_on_allowed_ports_only) {
  const EgressPolicy policy{.allow_loopback_http = true, .ports = {443, 8443}};
  BOOST_TEST(may_connect(policy, {}, Address("8.8.8.8", 443)));
  BOOST_TEST(may_connect(policy, {}, Address("2606:4700::1111", 8443)));
  BOOST_TEST(!may_connect(policy, {}, Address("8.8.8.8", 25)));
  BOOST_TEST(!may_connect(policy, {.plain_http = true}, Address("8.8.8.8", 443)));
}

BOOST_AUTO_TEST_CASE(messages_name_the_address) {
  BOOST_TEST(address_text(Address("10.1.2.3")) == "10.1.2.3");
  BOOST_TEST(address_text(Address("fe80::1")) == "fe80::1");
}

BOOST_AUTO_TEST_SUITE_END()
