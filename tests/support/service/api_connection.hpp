// Requests over one connection that stays open, for tests that send many. One thread at a time.
#pragma once

#include <optional>
#include <system_error>

#include "tests/support/service/exchange_log.hpp"
#include "tests/support/service/http_client.hpp"

namespace tideover::test {

class ApiConnection {
 public:
  ApiConnection(std::uint16_t port, std::string token) : port_(port), token_(std::move(token)) {}

  /// Status 0 when no whole answer came: what became of the request is not known.
  Answer post(const std::string& target, const std::string& json, const std::string& idempotency_key = "") {
    std::string request = "POST " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + token_ + "\r\n";
    if (!idempotency_key.empty()) request += "Idempotency-Key: " + idempotency_key + "\r\n";
    if (!json.empty()) request += "Content-Type: application/json\r\n";
    request += "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" + json;
    try {
      if (!connection_) connection_.emplace(port_);
      connection_->send(request);
      Answer answer{connection_->read_response(false, RawClient::Wait(30'000))};
      log_exchange("POST " + target, answer);
      if (answer.status == 0 || answer.header("Connection") == "close") connection_.reset();
      return answer;
    } catch (const std::system_error&) {
      connection_.reset();
      return {};
    }
  }

 private:
  std::uint16_t port_;
  std::string token_;
  std::optional<RawClient> connection_;
};

}  // namespace tideover::test
