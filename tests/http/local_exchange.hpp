// An exchange without a server: keeps the answer, and goes on at once where a worker would.
#pragma once
#include "core/http/server/exchange.hpp"

namespace tideover::tests {

class LocalExchange final : public http::Exchange {
 public:
  explicit LocalExchange(http::Request request) : request_(std::move(request)) {}

  const http::Request& request() const override { return request_; }
  std::string take_body() override { return std::move(request_.body); }
  void answer(const http::Response& response) override { answered = response; }
  void resume(std::function<void()> rest) override { rest(); }

  http::Response answered{0, {}, {}};

 private:
  http::Request request_;
};

/// What `handler` answers at once; status 0 when it does not.
template <class Handler>
http::Response answer_of(Handler& handler, http::Request request) {
  const auto exchange = std::make_shared<LocalExchange>(std::move(request));
  handler.handle(exchange);
  return exchange->answered;
}

}  // namespace tideover::tests
