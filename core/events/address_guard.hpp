// Where deliveries may go: the boundary against requests that a receiver's URL would send into our own network (SSRF).
// It is asked about the very address that a socket is about to be opened to, after name resolution, so neither a name
// that resolves to an inner address nor one that changes its answer gets past it. Pure, thread-safe.
#pragma once
#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tideover::events {

struct EgressPolicy {
  /// Sandbox and tests only: 127.0.0.0/8 and ::1 may be named, over plain http too and on any port.
  bool allow_loopback_http = false;
  std::vector<std::uint16_t> ports{443};
};

/// Global unicast that leads out to the Internet by itself. Refused is everything of the IANA special-purpose
/// registries (private, shared, loopback, link-local, documentation, benchmarking, multicast, reserved), every IPv6
/// form that carries an IPv4 address inside (v4-mapped, 6to4, NAT64, Teredo) and the addresses that clouds answer their
/// own machines on.
bool is_public_address(const sockaddr& address);
bool is_loopback_address(const sockaddr& address);

/// What a URL itself says of where it leads.
struct Destination {
  bool plain_http = false;      // reaches loopback only
  bool names_loopback = false;  // localhost, 127.0.0.0/8 or ::1: a name that merely resolves to loopback is not meant
};

bool may_connect(const EgressPolicy& policy, Destination destination, const sockaddr& address);

/// "203.0.113.7" or "2001:db8::1", for messages.
std::string address_text(const sockaddr& address);

}  // namespace tideover::events
