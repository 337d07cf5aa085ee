// The addresses to which webhooks may be sent: protection against requests into the operator's own network (SSRF). It
// checks the address of the socket after name resolution, so neither a name that resolves to an internal address nor a
// changing name passes. Pure, thread-safe.
#pragma once
#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tideover::events {

struct EgressPolicy {
  /// Sandbox and tests only: allows 127.0.0.0/8 and ::1, also with plain HTTP and on any port.
  bool allow_loopback_http = false;
  std::vector<std::uint16_t> ports{443};
};

/// True for global unicast addresses that lead to the Internet. Refuses the IANA special-purpose registries (private,
/// shared, loopback, link-local, documentation, benchmarking, multicast, reserved), every IPv6 form with an embedded
/// IPv4 address (v4-mapped, 6to4, NAT64, Teredo), and the metadata addresses of clouds.
bool is_public_address(const sockaddr& address);
bool is_loopback_address(const sockaddr& address);

/// What a URL itself says about its target.
struct Destination {
  bool plain_http = false;      // allowed for loopback only
  bool names_loopback = false;  // localhost, 127.0.0.0/8 or ::1; not a name that only resolves to loopback
};

bool may_connect(const EgressPolicy& policy, Destination destination, const sockaddr& address);

/// "203.0.113.7" or "2001:db8::1", for messages.
std::string address_text(const sockaddr& address);

}  // namespace tideover::events
