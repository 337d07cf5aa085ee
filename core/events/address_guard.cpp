#include "core/events/address_guard.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace tideover::events {
namespace {

struct Block4 {
  std::array<std::uint8_t, 4> network;
  int bits;
};

constexpr Block4 kRefused4[] = {
    {{0, 0, 0, 0}, 8},         // this network
    {{10, 0, 0, 0}, 8},        // private
    {{100, 64, 0, 0}, 10},     // shared by carriers (CGNAT), and some clouds' metadata
    {{127, 0, 0, 0}, 8},       // loopback
    {{168, 63, 129, 16}, 32},  // Azure's host services, a public address only by its form
    {{169, 254, 0, 0}, 16},    // link-local, and most clouds' metadata
    {{172, 16, 0, 0}, 12},     // private
    {{192, 0, 0, 0}, 24},      // IETF protocol assignments
    {{192, 0, 2, 0}, 24},      // documentation
    {{192, 88, 99, 0}, 24},    // 6to4 relays
    {{192, 168, 0, 0}, 16},    // private
    {{198, 18, 0, 0}, 15},     // benchmarking
    {{198, 51, 100, 0}, 24},   // documentation
    {{203, 0, 113, 0}, 24},    // documentation
    {{224, 0, 0, 0}, 4},       // multicast
    {{240, 0, 0, 0}, 4},       // reserved, and broadcast
};

struct Block6 {
  std::array<std::uint8_t, 4> network;  // no block below is longer than 32 bits
  int bits;
};

constexpr Block6 kGlobalUnicast6{{0x20, 0, 0, 0},
                                 3};  // all that IANA has assigned; v4-mapped, NAT64 and ULA are outside

constexpr Block6 kRefused6[] = {
    {{0x20, 0x01, 0x00, 0x00}, 23},  // IETF protocol assignments: Teredo, ORCHID, benchmarking
    {{0x20, 0x01, 0x0d, 0xb8}, 32},  // documentation
    {{0x20, 0x02, 0x00, 0x00}, 16},  // 6to4
    {{0x3f, 0xff, 0x00, 0x00}, 20},  // documentation
};

bool in_block(const std::uint8_t* address, const std::array<std::uint8_t, 4>& network, int bits) {
  const auto word = [](const std::uint8_t* b) {
    return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | std::uint32_t{b[3]};
  };
  const std::uint32_t mask = ~std::uint32_t{0} << (32 - bits);
  return (word(address) & mask) == (word(network.data()) & mask);
}

std::array<std::uint8_t, 4> bytes4(const sockaddr& address) {
  sockaddr_in in{};
  std::memcpy(&in, &address, sizeof in);
  std::array<std::uint8_t, 4> bytes{};
  std::memcpy(bytes.data(), &in.sin_addr, bytes.size());
  return bytes;
}

std::array<std::uint8_t, 16> bytes6(const sockaddr& address) {
  sockaddr_in6 in{};
  std::memcpy(&in, &address, sizeof in);
  std::array<std::uint8_t, 16> bytes{};
  std::memcpy(bytes.data(), &in.sin6_addr, bytes.size());
  return bytes;
}

std::uint16_t port_of(const sockaddr& address) {
  // Both families have the port directly after the family.
  sockaddr_in in{};
  std::memcpy(&in, &address, sizeof in);
  return ntohs(in.sin_port);
}

}  // namespace

bool is_public_address(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    const auto bytes = bytes4(address);
    return std::none_of(std::begin(kRefused4), std::end(kRefused4),
                        [&](const Block4& block) { return in_block(bytes.data(), block.network, block.bits); });
  }
  if (address.sa_family == AF_INET6) {
    const auto bytes = bytes6(address);
    return in_block(bytes.data(), kGlobalUnicast6.network, kGlobalUnicast6.bits) &&
           std::none_of(std::begin(kRefused6), std::end(kRefused6),
                        [&](const Block6& block) { return in_block(bytes.data(), block.network, block.bits); });
  }
  return false;
}

bool is_loopback_address(const sockaddr& address) {
  if (address.sa_family == AF_INET) return bytes4(address)[0] == 127;
  if (address.sa_family == AF_INET6) {
    constexpr std::array<std::uint8_t, 16> kLoopback{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    return bytes6(address) == kLoopback;
  }
  return false;
}

bool may_connect(const EgressPolicy& policy, Destination destination, const sockaddr& address) {
  if (is_loopback_address(address)) return policy.allow_loopback_http && destination.names_loopback;
  return !destination.plain_http && is_public_address(address) &&
         std::find(policy.ports.begin(), policy.ports.end(), port_of(address)) != policy.ports.end();
}

std::string address_text(const sockaddr& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const char* done = nullptr;
  if (address.sa_family == AF_INET) {
    const auto bytes = bytes4(address);
    done = inet_ntop(AF_INET, bytes.data(), text.data(), text.size());
  } else if (address.sa_family == AF_INET6) {
    const auto bytes = bytes6(address);
    done = inet_ntop(AF_INET6, bytes.data(), text.data(), text.size());
  }
  return done ? done : "an address that is neither IPv4 nor IPv6";
}

}  // namespace tideover::events
