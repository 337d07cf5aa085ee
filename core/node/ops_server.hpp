// The operations port. The same listener runs while `serve` waits for its database and while it serves.
#pragma once
#include <functional>

#include "core/http/server/server.hpp"
#include "core/ops/pages.hpp"
#include "core/settings/settings.hpp"

namespace tideover::node {

inline http::Response response_of(const ops::Page& page) {
  http::Response response;
  response.status = page.status;
  response.headers.add("Content-Type", page.content_type);
  response.body = page.body;
  return response;
}

inline http::ServerOptions ops_server_options(const settings::OpsSettings& ops,
                                              std::function<http::Response(const http::Request&)> page,
                                              decltype(http::ServerOptions::refuse) refuse) {
  http::ServerOptions options;
  options.address = ops.host;
  options.port = static_cast<std::uint16_t>(ops.port);
  options.limits.worker_threads = 2;
  options.handler = http::at_once(std::move(page));
  options.body_limit = [](const http::Request&) { return std::size_t{0}; };
  options.refuse = std::move(refuse);
  return options;
}

}  // namespace tideover::node
