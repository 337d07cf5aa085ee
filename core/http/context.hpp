// Input and output of a handler: plain values. The pipeline has already authenticated the client, parsed the request
// and enforced the limits.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/basics/result.hpp"
#include "core/http/rates/rate_limiter.hpp"
#include "core/http/server/request.hpp"
#include "core/http/wire/json/json.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::http {

struct Context {
  const Request& request;
  usecases::RequestContext request_context;
  std::vector<std::string> path;             // decoded path parameters, in order
  std::map<std::string, std::string> query;  // decoded; the first value of a repeated name
  std::optional<json::Value> body;           // of routes that take JSON
  std::vector<std::string> ignored;          // out: request fields that the operation does not use
  std::optional<std::string> made_object{};  // of ?idempotency_key=: its id, or empty when the key made none
  RateReport rates = {};                     // out: the state of the rate limits

  std::string query_text(const std::string& name, const std::string& fallback = "") const {
    const auto found = query.find(name);
    return found == query.end() ? fallback : found->second;
  }
};

struct Reply {
  std::string body;
  bool replayed = false;
  Headers headers = {};
  int status = 200;
  std::string content_type = "application/json";
  std::string rules_version = "";  // the rule bundle of the answer, for the header Rules-Version; empty = none

  static Reply of(usecases::StoredResponse answer) {
    return {std::move(answer.body), answer.replayed, {}, 200, "application/json"};
  }
};

using RouteHandler = std::function<domain::Result<Reply>(Context&)>;

/// Delivers the answer of an asynchronous handler, once, from any thread.
using Later = std::function<void(domain::Result<Reply>)>;
/// An asynchronous handler: it returns its answer, or returns nothing and calls `later` once, which it may keep. Its
/// only effect is one unit, and that unit also writes the answer under the idempotency key. A key that was used before
/// therefore fails as a conflict in that unit.
using RouteStarter = std::function<std::optional<domain::Result<Reply>>(Context&, Later later)>;

/// The response of a use case. `rules_version`: the rule bundle of the object in it.
inline domain::Result<Reply> reply(domain::Result<usecases::StoredResponse> answer, std::string rules_version = "") {
  if (!answer) return answer.error();
  auto made = Reply::of(std::move(*answer));
  made.rules_version = std::move(rules_version);
  return made;
}

}  // namespace tideover::http
