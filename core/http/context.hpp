// Input and output of a handler as plain values. The pipeline has authenticated, parsed and bounded the request
// before.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/basics/result.hpp"
#include "core/http/server/request.hpp"
#include "core/http/wire/json/json.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::http {

struct Context {
  const Request& request;
  usecases::RequestContext request_context;
  std::vector<std::string> path;             // decoded path parameters, in order
  std::map<std::string, std::string> query;  // decoded; the first value of a repeated name
  std::optional<json::Value> body;           // for routes with a JSON body
  std::vector<std::string> ignored;          // out: request fields without a meaning here

  std::string query_text(const std::string& name, std::string fallback = "") const {
    const auto found = query.find(name);
    return found == query.end() ? std::move(fallback) : found->second;
  }
};

struct Reply {
  std::string body;
  bool replayed = false;
  Headers headers = {};
  int status = 200;
  std::string content_type = "application/json";

  static Reply of(usecases::StoredResponse answer) {
    return {std::move(answer.body), answer.replayed, {}, 200, "application/json"};
  }
};

using RouteHandler = std::function<domain::Result<Reply>(Context&)>;

/// Delivers a later response. Call it once, from any thread.
using Later = std::function<void(domain::Result<Reply>)>;
/// A handler that does not block. It returns its response, or it returns nothing and calls `later`, which it may
/// keep. Its only effect is one unit that also stores the response under the idempotency key, so a key that was used
/// before collides in that unit.
using RouteStarter = std::function<std::optional<domain::Result<Reply>>(Context&, Later later)>;

/// The response of a use case, with headers where needed.
inline domain::Result<Reply> reply(domain::Result<usecases::StoredResponse> answer) {
  if (!answer) return answer.error();
  return Reply::of(std::move(*answer));
}

}  // namespace tideover::http
