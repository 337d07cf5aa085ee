#include "core/settings/origin.hpp"

#include <algorithm>
#include <charconv>

namespace tideover::settings {
namespace {

constexpr std::string_view kHttp = "http://", kHttps = "https://";

bool is_host(std::string_view host) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789-.";
  constexpr std::string_view kOfAddress = "abcdef0123456789:.";
  const bool is_address = host.size() > 4 && host.starts_with('[') && host.ends_with(']');
  if (is_address) return host.substr(1, host.size() - 2).find_first_not_of(kOfAddress) == std::string_view::npos;
  return !host.empty() && host.find_first_not_of(kLetters) == std::string_view::npos && !host.starts_with('.') &&
         !host.ends_with('.') && host.find("..") == std::string_view::npos;
}

/// In decimal, without leading zeros.
bool is_port(std::string_view text, int default_port) {
  constexpr int kLargest = 65'535;
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc{} && end == text.data() + text.size() && !text.starts_with('0') && port > 0 &&
         port <= kLargest && port != default_port;
}

}  // namespace

bool is_origin(std::string_view text) {
  const bool is_https = text.starts_with(kHttps);
  if (!is_https && !text.starts_with(kHttp)) return false;
  text.remove_prefix((is_https ? kHttps : kHttp).size());
  const auto end_of_address = text.starts_with('[') ? std::min(text.find(']'), text.size()) : 0;
  const auto colon = text.find(':', end_of_address);
  if (colon == std::string_view::npos) return is_host(text);
  return is_host(text.substr(0, colon)) && is_port(text.substr(colon + 1), is_https ? 443 : 80);
}

}  // namespace tideover::settings
