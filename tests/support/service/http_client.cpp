#include "tests/support/service/http_client.hpp"

#include <algorithm>

#include "tests/support/service/exchange_log.hpp"
#include "tests/support/service/service_process.hpp"

namespace tideover::test {
namespace {

constexpr RawClient::Wait kPatience{30'000};

bool names(const Headers& headers, const std::string& name) {
  return std::any_of(headers.begin(), headers.end(), [&](const auto& header) { return header.first == name; });
}

}  // namespace

ApiClient::ApiClient(std::uint16_t port, const Credentials& credentials, const std::string& scope) : port_(port) {
  std::string body = R"({"grant_type":"client_credentials","client_id":)" + quoted(credentials.id) +
                     R"(,"client_secret":)" + quoted(credentials.secret);
  if (!scope.empty()) body += R"(,"scope":)" + quoted(scope);
  // A service that has just started may have its queue of commits full; it says so, and a client asks again.
  Answer answer;
  eventually([&] { return (answer = post("/v1/oauth/token", body + "}")).status != 503; });
  if (answer.status != 200) throw std::runtime_error("no token: " + answer.body);
  token_ = answer.json().text("/access_token");
}

Answer ApiClient::send(const std::string& method, const std::string& target, const Headers& headers,
                       const std::string& body) const {
  std::string request = method + ' ' + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n";
  for (const auto& [name, value] : headers)
    if (!value.empty()) request += name + ": " + value + "\r\n";
  if (!token_.empty() && !names(headers, "Authorization")) request += "Authorization: Bearer " + token_ + "\r\n";
  if (!body.empty()) {
    if (!names(headers, "Content-Type")) request += "Content-Type: application/json\r\n";
    request += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  }
  RawClient connection(port_);
  // A server that refuses a body early may stop taking it; its answer can be read all the same.
  connection.send(request + "\r\n" + body);
  Answer answer{connection.read_response(method == "HEAD", kPatience)};
  log_exchange(method + ' ' + target, answer);
  return answer;
}

}  // namespace tideover::test
