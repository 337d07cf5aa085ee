#include "core/http/pipeline.hpp"

#include <algorithm>
#include <chrono>
#include <span>

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/sha256.hpp"
#include "core/domain/basics/api_version.hpp"
#include "core/faults/crash_point.hpp"
#include "core/http/current_request.hpp"
#include "core/http/entity_tags.hpp"
#include "core/http/error_map.hpp"
#include "core/http/gzip.hpp"
#include "core/http/keys/idempotency_key.hpp"
#include "core/http/media_type.hpp"
#include "core/http/request_checks.hpp"
#include "core/http/wire/basics/error_json.hpp"
#include "core/http/wire/basics/object_reader.hpp"
#include "core/http/wire/operations/rules_version.hpp"

namespace tideover::http {
namespace {

using domain::Error;
using domain::ErrorCode;

/// When two requests collide on a unique value, the later one is tried again. More rounds than this indicate another
/// problem.
constexpr int kConflictRounds = 4;

bool is_request_id(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  });
}

std::string allow_of(const std::vector<std::string>& methods) {
  std::string allow;
  for (const auto& method : methods) allow += method + ", ";
  return allow + "OPTIONS";
}

/// The rate class of a request to a route that needs a token.
RateClass class_of(const Route& route, const Context& context) {
  if (route.method == "GET" || is_comparison(route, context)) return RateClass::read;
  return route.scope == domain::Scope::settlements_confirm ? RateClass::confirm : RateClass::write;
}

/// RFC 6749 section 5.2 has its own code for a request of a token that is not valid.
Error named_for(const Route& route, Error error) {
  if (route.issues_token) error.code = ErrorCode::invalid_request;
  return error;
}

ErrorCode code_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::bad_request:
      return ErrorCode::invalid_request;
    case Refusal::request_timeout:
      return ErrorCode::request_timeout;
    case Refusal::body_too_large:
      return ErrorCode::payload_too_large;
    case Refusal::uri_too_long:
      return ErrorCode::uri_too_long;
    case Refusal::headers_too_large:
      return ErrorCode::headers_too_large;
    case Refusal::handler_failed:
      return ErrorCode::internal_error;
    case Refusal::overloaded:
      return ErrorCode::service_unavailable;
  }
  return ErrorCode::internal_error;
}

}  // namespace

/// An idempotency key that this process is using right now.
class Pipeline::KeyInUse {
 public:
  KeyInUse(Pipeline& pipeline, std::string key) : pipeline_(pipeline), key_(std::move(key)) {
    std::lock_guard held(pipeline_.keys_lock_);
    taken_ = pipeline_.keys_in_use_.insert(key_).second;
  }
  ~KeyInUse() {
    if (!taken_) return;
    std::lock_guard held(pipeline_.keys_lock_);
    pipeline_.keys_in_use_.erase(key_);
  }
  KeyInUse(const KeyInUse&) = delete;
  KeyInUse& operator=(const KeyInUse&) = delete;
  bool taken() const { return taken_; }

 private:
  Pipeline& pipeline_;
  std::string key_;
  bool taken_ = false;
};

/// Input for the headers of an answer.
struct Pipeline::Heading {
  const Request& request;
  const std::string& request_id;
  const Route* route;  // null where none matched
  std::span<const std::string> ignored;
  const RateReport* rates;  // null where the request failed before its limits were known
};

/// One request from arrival to answer. The thread may change, but only one thread works on it at a time.
struct Pipeline::RequestState {
  explicit RequestState(std::shared_ptr<Exchange> arrived) : exchange(std::move(arrived)) {}

  const Request& request() const { return exchange->request(); }

  const std::shared_ptr<Exchange> exchange;
  const std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  std::string request_id;
  const Route* route = nullptr;
  std::string client_id;
  std::string problem;
  json::Document document;
  std::optional<Context> context;
  std::optional<KeyInUse> key_in_use;
  RateLimiter::Lease lease;
  bool judges_head = false;  // the body has not come yet
  bool admitted = false;
  bool key_is_new = false;  // to this process
  bool looked = false;      // for a stored answer
  int rounds = 0;
};

void Pipeline::handle(std::shared_ptr<Exchange> exchange) {
  const auto state = std::make_shared<RequestState>(std::move(exchange));
  state->request_id = request_id_of(state->request());
  faults::crash_point("request.received");
  proceed(state, [&]() -> Outcome {
    if (auto options = options_of(state->request())) return options;
    if (const auto admitted = admit(*state); !admitted) return admitted.error();
    state->admitted = true;
    return settle(state, attempt(state));
  });
}

/// The head of a request whose client waits before it sends the body.
class Pipeline::HeadOnly final : public Exchange {
 public:
  explicit HeadOnly(const Request& head) : head_(head) {}
  const Request& request() const override { return head_; }
  std::string take_body() override { return {}; }
  void answer(const Response& response) override { answered = response; }
  void resume(std::function<void()> rest) override { rest(); }

  std::optional<Response> answered;

 private:
  const Request& head_;
};

std::optional<Response> Pipeline::judge_head(const Request& head) {
  const auto exchange = std::make_shared<HeadOnly>(head);
  const auto state = std::make_shared<RequestState>(exchange);
  state->request_id = request_id_of(head);
  state->judges_head = true;
  proceed(state, [&]() -> Outcome {
    if (head.method == "OPTIONS") return std::nullopt;
    if (const auto admitted = admit_head(*state); !admitted) return admitted.error();
    return std::nullopt;
  });
  return std::move(exchange->answered);
}

/// Runs one step, and sends the answer if the step returned one.
template <class Step>
void Pipeline::proceed(const std::shared_ptr<RequestState>& state, Step step) {
  Outcome outcome;
  const CurrentRequest current(state->request_id);
  try {
    outcome = step();
    if (outcome && state->admitted) leave_access(*state, *outcome);
  } catch (const std::exception& thrown) {
    state->problem = thrown.what();
    outcome = Error::of(ErrorCode::internal_error,
                        "Internal error. Contact the operator of the service with the request id.");
  }
  if (outcome) finish(*state, std::move(*outcome));
}

void Pipeline::finish(RequestState& state, domain::Result<Reply> result) {
  const std::string error(result ? "" : domain::name_of(result.error().code));
  faults::crash_point("request.handled");
  state.key_in_use.reset();
  state.lease = {};
  const auto* context = state.context ? &*state.context : nullptr;
  Response response = render({state.request(), state.request_id, state.route,
                              context ? std::span<const std::string>(context->ignored) : std::span<const std::string>(),
                              context ? &context->rates : nullptr},
                             std::move(result));
  if (!state.route || !state.route->issues_token) compress(state.request(), response);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - state.started;
  observe_({state.request_id, state.request().method, state.route ? state.route->pattern : "", response.status, error,
            state.problem, state.client_id, elapsed.count()});
  faults::crash_point("answer.rendered");
  state.exchange->answer(response);
}

/// The answer to OPTIONS; nothing for another method or an unknown path.
Pipeline::Outcome Pipeline::options_of(const Request& request) const {
  if (request.method != "OPTIONS") return std::nullopt;
  const auto match = routes_.match(request.method, request.path);
  if (match.allowed.empty()) return std::nullopt;
  Reply reply;
  reply.status = 204;
  const auto allow = allow_of(match.allowed);
  reply.headers.add("Allow", allow);
  cors_.permit(request, allow, reply.headers);
  reply.content_type = "";
  return reply;
}

/// What can be decided without the body.
domain::Status Pipeline::admit_head(RequestState& state) {
  const Request& request = state.request();
  auto match = routes_.match(request.method, request.path);
  if (!match.route) {
    if (match.allowed.empty())
      return Error::of(ErrorCode::route_not_found, "Path not found. GET /v1/openapi.json has all paths.");
    return Error::of(ErrorCode::method_not_allowed, "Method not allowed.").with_list("allowed", match.allowed);
  }
  const Route& route = *match.route;
  state.route = &route;
  if (auto acceptable = check_accept(route, request.headers); !acceptable) return acceptable;

  auto query = query_of(request.query);
  if (!query) return named_for(route, query.error());
  if (auto single = check_single_headers(request.headers); !single) return named_for(route, single.error());

  Context& context =
      state.context.emplace(Context{request, {}, std::move(match.path), std::move(*query), std::nullopt, {}, {}});
  context.request_context.request_id = state.request_id;
  context.request_context.operation = route.method + ' ' + route.pattern;
  context.request_context.now = clock_.now();
  return route.is_public ? check_media(route, request.headers) : authorize(state);
}

domain::Status Pipeline::admit(RequestState& state) {
  if (auto admitted = admit_head(state); !admitted) return admitted;
  const Request& request = state.request();
  const Route& route = *state.route;
  Context& context = *state.context;
  if (const auto key = context.query.find("idempotency_key"); key != context.query.end() && !route.is_public) {
    auto made = object_made_with(store_, context.request_context.caller.tenant, clock_.now(),
                                 route.made_by.empty() ? route.pattern : route.made_by, key->second);
    if (!made) return made.error();
    context.made_object = std::move(*made);
  }
  if (route.body == BodyKind::json)
    if (auto read = read_json(state); !read) return read;
  if (route.body == BodyKind::none && !route.is_public && !request.body.empty())
    if (auto unused = note_unused_body(context); !unused) return unused;
  if (const auto* sent = request.headers.find("Idempotency-Key");
      sent && !route.is_public && route.method != "GET" && !is_comparison(route, context))
    if (auto taken = take_key(state, *sent); !taken) return taken;

  faults::crash_point("request.accepted");
  return {};
}

/// Finds the caller of the access token, and checks that the route allows the request to it.
domain::Status Pipeline::authorize(RequestState& state) {
  const Route& route = *state.route;
  Context& context = *state.context;
  if (options_.rate_limiter) context.rates.policy = options_.rate_limiter->policy(class_of(route, context));
  auto caller = auth_.caller_of(state.request().headers.find("Authorization"));
  if (!caller) {
    if (status_of(caller.error().code) < 500)
      trail_.denied_unknown(context.request_context.operation, caller.error().code, state.request_id);
    return caller.error();
  }
  state.client_id = caller->client.text();
  context.request_context.caller = std::move(*caller);
  // Clients and their secrets expire by the real time, as tokens do.
  if (route.scope != domain::Scope::admin) {
    auto& request = context.request_context;
    request.shift_ms = clock_.shift_of(request.caller.tenant);
    request.now = request.now.plus_ms(request.shift_ms);
  }
  auto allowed = check_allowed(route, context);
  // A head that is only judged is counted when it is refused: if not, its complete request is.
  if (options_.rate_limiter && (!state.judges_head || !allowed))
    if (auto limited = limit_rate(state); !limited) return limited;
  if (!allowed && allowed.error().code == ErrorCode::insufficient_scope)
    trail_.denied(context.request_context, ErrorCode::insufficient_scope);
  return allowed;
}

/// Before a denied call writes its audit row: it must not be free.
domain::Status Pipeline::limit_rate(RequestState& state) {
  Context& context = *state.context;
  auto lease = options_.rate_limiter->enter(context.request_context.caller);
  if (!lease) return lease.error();
  state.lease = std::move(*lease);
  return options_.rate_limiter->take(class_of(*state.route, context), context.request_context.caller, state.started,
                                     context.rates);
}

/// Parses the body, which must be a JSON object.
domain::Status Pipeline::read_json(RequestState& state) {
  json::Limits limits;
  if (state.route->carries_file) limits.string_bytes = options_.file_body_bytes;
  if (const auto parsed = json::parse_taking(state.exchange->take_body(), state.document, limits); !parsed)
    return wire::malformed(ErrorCode::malformed_json, *parsed.error);
  if (state.document.root().kind() != json::Kind::object) return wire::not_an_object(ErrorCode::validation_error);
  state.context->body = state.document.root();
  return {};
}

/// Takes the Idempotency-Key for the time of this request. Error: it is not valid, or another request has it.
domain::Status Pipeline::take_key(RequestState& state, const std::string& sent) {
  if (!is_idempotency_key(sent))
    return Error::of(ErrorCode::invalid_idempotency_key,
                     "Idempotency-Key is not valid. Use 1 to 255 visible ASCII characters without blanks.");
  const Request& request = state.request();
  Context& context = *state.context;
  const std::string path = path_of(state.route->pattern, context.path);
  auto& key = context.request_context.idempotency.emplace();
  key.key = sent;
  key.scope = key_scope(request.method, path, sent);
  const auto digest = [](std::string_view text) { return crypto::hex_encode(crypto::sha256(text)); };
  key.fingerprint =
      crypto::hex_encode(crypto::sha256(request.method + '\n' + path + '\n' + request.query + '\n' +
                                        (context.body ? json::canonical(*context.body, digest) : request.body)));
  key.retention_days = state.route->answer_retention_days;
  const std::string tenants_key = context.request_context.caller.tenant.text() + ' ' + key.scope;
  state.key_in_use.emplace(*this, tenants_key);
  if (!state.key_in_use->taken())
    return Error::of(ErrorCode::idempotency_in_progress,
                     "A request with this Idempotency-Key is still in progress. Retry after 1 s.")
        .retry_after(1);
  state.key_is_new = recent_keys_.add(tenants_key);
  return {};
}

/// Writes the audit rows of an authenticated call.
void Pipeline::leave_access(const RequestState& state, const domain::Result<Reply>& result) {
  const auto& request_context = state.context->request_context;
  if (state.route->issues_token && !result && status_of(result.error().code) < 500)
    trail_.denied_unknown(request_context.operation, result.error().code, state.request_id);
  if (!state.route->is_public && !result && result.error().code == ErrorCode::insufficient_scope)
    trail_.denied(request_context, ErrorCode::insufficient_scope);
  if (state.route->shows_patients)
    trail_.was_read(request_context, state.context->path.empty() ? state.request().query : state.context->path.front(),
                    result ? "ok" : domain::name_of(result.error().code));
}

/// Repeats an attempt that collided with another request, up to kConflictRounds.
Pipeline::Outcome Pipeline::settle(const std::shared_ptr<RequestState>& state, Outcome outcome) {
  const auto collided = [&] { return outcome && !*outcome && outcome->error().code == ErrorCode::conflict; };
  while (collided() && ++state->rounds < kConflictRounds) outcome = attempt(state);
  if (collided() && state->context->request_context.idempotency)
    return Error::of(ErrorCode::conflict, "The object was changed by other requests at the same time. Retry after 1 s.")
        .retry_after(1);
  if (outcome && !*outcome && !state->looked) {  // the request may have succeeded before under its key
    if (auto stored = stored_answer(*state)) return stored;
  }
  return outcome;
}

/// The stored answer, else the handler's. A starter writes its answer together with its effect, so a used key makes
/// that unit fail as a conflict. Nearly all keys are new to the process; for those the store is read only after a
/// conflict or an error.
Pipeline::Outcome Pipeline::attempt(const std::shared_ptr<RequestState>& state) {
  Context& context = *state->context;
  const Route& route = *state->route;
  const bool look_first = route.handler || !state->key_is_new || state->rounds > 0;
  if (look_first) {
    if (auto stored = stored_answer(*state)) return stored;
  }
  const ports::TimeShift in_time(context.request_context.shift_ms);
  if (route.handler) return route.handler(context);
  return route.starter(context, [this, state](domain::Result<Reply> result) {
    state->exchange->resume([this, state, result = std::move(result)]() mutable {
      proceed(state, [&] { return settle(state, std::move(result)); });
    });
  });
}

/// Nothing when there is no key or no answer under it. An error when the store cannot be read, or when the key was used
/// for another request.
Pipeline::Outcome Pipeline::stored_answer(RequestState& state) const {
  state.looked = true;
  const auto& request_context = state.context->request_context;
  if (!request_context.idempotency) return std::nullopt;
  const auto& key = *request_context.idempotency;
  auto read = fetch_one(store_, [&](const ports::Records& records) {
    return records.answers().find(request_context.caller.tenant, key.scope);
  });
  if (!read) return read.error();
  auto& stored = *read;
  if (!stored || stored->expires_at <= clock_.now()) return std::nullopt;
  if (stored->fingerprint != key.fingerprint)
    return Error::of(ErrorCode::idempotency_key_reused,
                     "This Idempotency-Key was used for a different request. Use a new key.");
  Reply reply;
  reply.body = std::move(stored->body);
  reply.replayed = true;
  if (const auto refusal = domain::error_code_named(stored->outcome))
    reply.status = status_of(*refusal);
  else if (state.route->names_rules)
    reply.rules_version = wire::rules_version_of(reply.body);
  return reply;
}

Response Pipeline::render(const Heading& heading, domain::Result<Reply> result) const {
  const Request& request = heading.request;
  Response response;
  response.headers.add("X-Request-Id", heading.request_id);
  response.headers.add("Api-Version", std::string(domain::kApiVersion));
  response.headers.add("X-Environment", std::string(name_of(options_.environment)));
  if (const auto* trace = request.headers.find("traceparent"); trace && trace->size() <= 128)
    response.headers.add("traceparent", *trace);
  cors_.share(request, response.headers);
  if (heading.rates && !heading.rates->policy.empty()) response.headers.add("RateLimit-Policy", heading.rates->policy);
  if (heading.rates && !heading.rates->state.empty()) response.headers.add("RateLimit", heading.rates->state);
  if (!heading.ignored.empty()) {
    std::string names;
    for (const auto& name : heading.ignored) names += (names.empty() ? "" : ", ") + name;
    response.headers.add("X-Ignored-Fields", names);
  }
  if (result) {
    response.status = result->status;
    response.body = std::move(result->body);
    for (const auto& field : result->headers) response.headers.add(field.name, field.value);
    if (result->replayed) response.headers.add("Idempotent-Replayed", "true");
    if (!result->rules_version.empty()) response.headers.add("Rules-Version", result->rules_version);
    if (is_unchanged(request, response)) {
      response.status = 304;
      response.body.clear();
    } else if (!result->content_type.empty()) {
      response.headers.add("Content-Type", result->content_type);
    }
    return response;
  }

  Error error = std::move(result.error());
  name_field(error);
  const bool problem = wants_problem_json(request.headers.find("Accept"));
  response.status = status_of(error.code);
  response.body = wire::encode_error(error, heading.request_id, response.status, is_retryable(error.code), problem);
  response.headers.add("Content-Type", problem ? "application/problem+json" : "application/json");
  if (auto challenge = challenge_of(error.code); !challenge.empty()) {
    // RFC 6750 section 3.1: the challenge lists the missing scope.
    if (error.code == ErrorCode::insufficient_scope && !error.details.empty() && error.details.front().first == "scope")
      challenge += ", scope=\"" + error.details.front().second + '"';
    response.headers.add("WWW-Authenticate", std::move(challenge));
  }
  if (error.retry_after_s || response.status == 503)
    response.headers.add("Retry-After", std::to_string(error.retry_after_s.value_or(1)));
  if (error.code == ErrorCode::method_not_allowed) response.headers.add("Allow", allow_of(error.lists.front().second));
  if (heading.route && heading.route->is_public) {
    response.headers.add("Cache-Control", "no-store");
    response.headers.add("Pragma", "no-cache");
  }
  return response;
}

Response Pipeline::refuse(const Request& head, Refusal refusal, std::string_view reason) {
  const std::string request_id = request_id_of(head);
  Error error = Error::of(code_of(refusal), std::string(reason));
  if (refusal == Refusal::bad_request) error.fields.push_back({"request", std::string(reason)});
  const std::string name(domain::name_of(error.code));
  Response response = render({head, request_id, nullptr, {}, nullptr}, error);
  observe_({request_id, head.method, "", response.status, name, "", "", 0});
  return response;
}

std::size_t Pipeline::body_limit(const Request& head) const {
  const auto match = routes_.match(head.method, head.path);
  const bool may_be_large =
      match.route && match.route->carries_file && auth_.holds_issued_token(head.headers.find("Authorization"));
  return may_be_large ? options_.file_body_bytes : options_.json_body_bytes;
}

std::string Pipeline::request_id_of(const Request& request) {
  if (const auto* sent = request.headers.find("X-Request-Id"); sent && is_request_id(*sent)) return *sent;
  return ids_.next<domain::RequestId>().text();
}

}  // namespace tideover::http
