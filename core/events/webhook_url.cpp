#include "core/events/webhook_url.hpp"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

namespace tideover::events {
namespace {

constexpr std::size_t kMaxUrlBytes = 2048;

domain::Status refuse(std::string problem) {
  auto error = domain::Error::of(domain::ErrorCode::validation_error, "The webhook URL is not valid: " + problem);
  error.fields.push_back({"url", std::move(problem)});
  return error;
}

std::string needs_https(const EgressPolicy& policy) {
  return policy.allow_loopback_http ? "it must start with https:// (this sandbox also allows http:// with a loopback "
                                      "address, such as http://127.0.0.1:9000)"
                                    : "it must start with https://";
}

struct UrlParser {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
struct UrlText {
  void operator()(char* text) const { curl_free(text); }
};

std::optional<std::string> part(CURLU* url, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, which, &text, flags) != CURLUE_OK) return std::nullopt;
  const std::unique_ptr<char, UrlText> owner(text);
  return std::string(text);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// The host as the client wrote it, before a parser normalizes it: between "://" and the path, without the port.
std::string_view written_host(std::string_view url) {
  url.remove_prefix(url.find("://") + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  if (url.starts_with('[')) return url.substr(0, std::min(url.find(']'), url.size() - 1) + 1);
  return url.substr(0, url.find(':'));
}

/// A name whose last label is a number would be read as an IPv4 address in an unusual form (127.1, 0x7f.1, 2130706433).
/// Only the dotted quad is allowed.
bool ends_in_number(std::string_view host) {
  const auto last = host.substr(host.rfind('.') == std::string_view::npos ? 0 : host.rfind('.') + 1);
  if (last.empty()) return false;
  if (std::all_of(last.begin(), last.end(), is_digit)) return true;
  return last.size() > 1 && last[0] == '0' && (last[1] == 'x' || last[1] == 'X');
}

bool is_dns_name(std::string_view host) {
  if (host.empty() || host.size() > 253) return false;
  while (true) {
    const auto dot = host.find('.');
    const auto label = host.substr(0, dot);
    const bool well_formed =
        !label.empty() && label.size() <= 63 && label.front() != '-' && label.back() != '-' &&
        std::all_of(label.begin(), label.end(), [](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
    if (!well_formed) return false;
    if (dot == std::string_view::npos) return true;
    host.remove_prefix(dot + 1);
  }
}

bool is_inner_name(std::string_view host) {
  for (const std::string_view zone : {".localhost", ".local", ".internal", ".intranet", ".lan", ".home.arpa"})
    if (host.ends_with(zone)) return true;
  return false;
}

domain::Status check_address(const sockaddr& address, bool plain_http, const EgressPolicy& policy) {
  if (is_loopback_address(address)) {
    if (policy.allow_loopback_http) return {};
    return refuse("its host is this machine (" + address_text(address) + ")");
  }
  if (plain_http) return refuse(needs_https(policy));
  if (!is_public_address(address)) return refuse("its address " + address_text(address) + " is not public");
  return {};
}

domain::Status check_host(std::string_view host, bool plain_http, const EgressPolicy& policy) {
  if (host.starts_with('[')) {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    const std::string text(host.substr(1, host.size() - 2));
    if (!host.ends_with(']') || inet_pton(AF_INET6, text.c_str(), &address.sin6_addr) != 1)
      return refuse("its IPv6 address is malformed");
    return check_address(reinterpret_cast<const sockaddr&>(address), plain_http, policy);
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  if (inet_pton(AF_INET, std::string(host).c_str(), &address.sin_addr) == 1)
    return check_address(reinterpret_cast<const sockaddr&>(address), plain_http, policy);
  if (ends_in_number(host)) return refuse("an IPv4 address must be four decimal numbers, such as 192.0.2.1");
  if (!is_dns_name(host)) return refuse("its host is not a DNS name (write international names in xn-- form)");

  const std::string name = lower(host);
  if (name == "localhost") {
    if (policy.allow_loopback_http) return {};
    return refuse("its host is this machine (localhost)");
  }
  if (plain_http) return refuse(needs_https(policy));
  if (name.find('.') == std::string::npos) return refuse("its host must be a full domain name");
  if (is_inner_name(name)) return refuse("its host is the name of a local network");
  return {};
}

bool names_loopback(std::string_view host) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  // Not only the prefix "127.": a public host name may start with it.
  if (inet_pton(AF_INET, std::string(host).c_str(), &address.sin_addr) == 1)
    return is_loopback_address(reinterpret_cast<const sockaddr&>(address));
  return lower(host) == "localhost" || host == "[::1]";
}

}  // namespace

domain::Status check_webhook_url(std::string_view url, const EgressPolicy& policy) {
  if (url.empty()) return refuse("it is empty");
  if (url.size() > kMaxUrlBytes) return refuse("it is longer than 2048 characters");
  if (!std::all_of(url.begin(), url.end(), [](char c) { return c > ' ' && c < 0x7f && c != '\\'; }))
    return refuse("it must have visible ASCII characters only, no blanks and no backslash");

  const std::string head = lower(url.substr(0, 8));
  const bool plain_http = head.starts_with("http://");
  if (!plain_http && !head.starts_with("https://")) return refuse(needs_https(policy));
  if (url.find('#') != std::string_view::npos) return refuse("it must not have a fragment (#...)");

  const auto authority_begins = url.find("://") + 3;
  const auto authority = url.substr(authority_begins, url.find_first_of("/?", authority_begins) - authority_begins);
  if (authority.find('@') != std::string_view::npos) return refuse("it must not have a user name or password");
  if (authority.find('%') != std::string_view::npos) return refuse("its host must not be percent-encoded");
  const auto host = written_host(url);
  if (host.empty()) return refuse("it has no host");
  if (auto fine = check_host(host, plain_http, policy); !fine) return fine;

  const std::unique_ptr<CURLU, UrlParser> parser(curl_url());
  if (!parser || curl_url_set(parser.get(), CURLUPART_URL, std::string(url).c_str(), 0) != CURLUE_OK)
    return refuse("it is malformed");
  if (lower(part(parser.get(), CURLUPART_HOST).value_or("")) != lower(host)) return refuse("its host is ambiguous");

  const std::string port_text = part(parser.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT).value_or("0");
  std::uint16_t port = 0;
  std::from_chars(port_text.data(), port_text.data() + port_text.size(), port);
  if (port == 0) return refuse("its port is not a number from 1 to 65535");
  const bool known = std::find(policy.ports.begin(), policy.ports.end(), port) != policy.ports.end();
  if (!known && !(policy.allow_loopback_http && names_loopback(host)))
    return refuse("its port " + port_text + " is not allowed");
  return {};
}

Destination destination_of(std::string_view url) {
  return {lower(url.substr(0, 7)) == "http://", names_loopback(written_host(url))};
}

}  // namespace tideover::events
