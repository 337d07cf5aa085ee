// Requests to the service under test over loopback, one connection each. An ApiClient may be copied and used by one
// thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/raw_http.hpp"
#include "tests/support/service/json.hpp"

namespace tideover::test {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// What came back. Status 0: the connection ended or the deadline came before a whole answer.
struct Answer : RawResponse {
  Json json() const { return Json(body); }
};

struct Credentials {
  std::string id;
  std::string secret;
};

class ApiClient {
 public:
  explicit ApiClient(std::uint16_t port, std::string token = "") : port_(port), token_(std::move(token)) {}
  /// Asks for a token of these scopes (all granted ones when empty). Throws when it is refused.
  ApiClient(std::uint16_t port, const Credentials& credentials, const std::string& scope = "");

  /// The same client after a restart of the service.
  ApiClient at(std::uint16_t port) const { return ApiClient(port, token_); }
  const std::string& token() const { return token_; }

  Answer get(const std::string& target, const Headers& headers = {}) const { return send("GET", target, headers); }
  Answer remove(const std::string& target, const Headers& headers = {}) const {
    return send("DELETE", target, headers);
  }
  Answer post(const std::string& target, const std::string& json, const Headers& headers = {}) const {
    return send("POST", target, headers, json);
  }
  Answer patch(const std::string& target, const std::string& json, const Headers& headers = {}) const {
    return send("PATCH", target, headers, json);
  }
  /// A POST with neither body nor Content-Length.
  Answer post_nothing(const std::string& target, const Headers& headers = {}) const {
    return send("POST", target, headers);
  }

  /// The token and, with a body, Content-Type: application/json are added where `headers` do not name them; a header
  /// with an empty value is left out altogether.
  Answer send(const std::string& method, const std::string& target, const Headers& headers,
              const std::string& body = "") const;

 private:
  std::uint16_t port_;
  std::string token_;
};

}  // namespace tideover::test
