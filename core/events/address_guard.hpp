// Allowed destinations of deliveries: protects the internal network against requests by way of a receiver's URL
// (SSRF). It checks the address of the socket that is about to be opened, after name resolution, so a name that
// resolves to an internal address, or changes its address later, is refused. Pure functions; thread-safe.
#pragma once
#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tideover::events {

struct EgressPolicy {
  /// Sandbox and tests only: allows 127.0.0.0/8 and ::1, also over plain http and on any port.
  bool allow_loopback_http = false;
  std::vector<std::uint16_t> ports{443};
};

/// Global unicast addresses that are reachable over the Internet. Refused are all IANA special-purpose registries
/// (private, shared, loopback, link-local, documentation, benchmarking, multicast, reserved), every IPv6 form with an
/// embedded IPv4 address (v4-mapped, 6to4, NAT64, Teredo), and the metadata addresses of clouds.
bool is_public_address(const sockaddr& address);
bool is_loopback_address(const sockaddr& address);

/// The properties of a URL that decide about its destination.
struct Destination {
  bool plain_http = false;      // allowed for loopback only
  bool names_loopback = false;  // localhost, 127.0.0.0/8 or ::1; not a name that only resolves to loopback
};

bool may_connect(const EgressPolicy& policy, Destination destination, const sockaddr& address);

/// "203.0.113.7" or "2001:db8::1", for messages.
std::string address_text(const sockaddr& address);

}  // namespace tideover::events
