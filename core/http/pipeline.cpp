#include "core/http/pipeline.hpp"

#include <algorithm>
#include <chrono>
#include <span>

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/sha256.hpp"
#include "core/domain/basics/api_version.hpp"
#include "core/faults/crash_point.hpp"
#include "core/http/current_request.hpp"
#include "core/http/error_map.hpp"
#include "core/http/media_type.hpp"
#include "core/http/wire/basics/error_json.hpp"
#include "core/http/wire/basics/object_reader.hpp"
#include "core/http/wire/operations/rules_version.hpp"

namespace tideover::http {
namespace {

using domain::Error;
using domain::ErrorCode;

/// Two requests that collide on a unique value: whoever lost tries again. More rounds mean that something else is
/// wrong.
constexpr int kConflictRounds = 4;

bool is_request_id(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  });
}

bool is_idempotency_key(std::string_view text) {
  return !text.empty() && text.size() <= 255 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x21 && c <= 0x7e; });
}

/// nullopt when a word is not properly percent-encoded text.
std::optional<std::map<std::string, std::string>> query_of(std::string_view raw) {
  std::map<std::string, std::string> query;
  while (!raw.empty()) {
    const auto end = raw.find('&');
    const auto word = raw.substr(0, end);
    raw = end == std::string_view::npos ? std::string_view{} : raw.substr(end + 1);
    const auto equals = word.find('=');
    const auto name = percent_decode(word.substr(0, equals), true);
    const auto value = equals == std::string_view::npos ? std::optional<std::string>("")
                                                        : percent_decode(word.substr(equals + 1), true);
    if (!name || !value) return std::nullopt;
    if (!name->empty()) query.emplace(*name, *value);
  }
  return query;
}

/// A filter that nobody applies would answer another question than the one asked.
domain::Status check_parameters(const Route& route, const std::map<std::string, std::string>& query) {
  std::vector<domain::FieldFault> unknown;
  for (const auto& [name, value] : query)
    if (std::find(route.parameters.begin(), route.parameters.end(), name) == route.parameters.end())
      unknown.push_back({wire::presentable(name), "is not a parameter of this operation"});
  if (unknown.empty()) return {};
  std::string known;
  for (const auto& name : route.parameters) known += (known.empty() ? "" : ", ") + name;
  auto error = Error::of(ErrorCode::invalid_parameter,
                         "The query has a parameter that this operation does not know: " + unknown.front().path +
                             ". It knows " + (known.empty() ? std::string("none") : known) + ".")
                   .with_list("allowed", route.parameters);
  error.fields = std::move(unknown);
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

/// A key that this process is executing right now.
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

/// What the headers of an answer are made of.
struct Pipeline::Heading {
  const Request& request;
  const std::string& request_id;
  const Route* route;  // null where none matched
  std::span<const std::string> ignored;
};

/// One request from its arrival to its answer. It may change threads on its way, but only one works on it at a time.
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
  bool admitted = false;
  bool key_is_new = false;  // to this process
  bool looked = false;      // for a stored answer
  int rounds = 0;
};

void Pipeline::handle(std::shared_ptr<Exchange> exchange) {
  const auto passage = std::make_shared<RequestState>(std::move(exchange));
  passage->request_id = request_id_of(passage->request());
  faults::crash_point("request.received");
  proceed(passage, [&]() -> Outcome {
    if (const auto admitted = admit(*passage); !admitted) return admitted.error();
    passage->admitted = true;
    return settle(passage, attempt(passage));
  });
}

/// One step, then the answer if there is one by now.
template <class Step>
void Pipeline::proceed(const std::shared_ptr<RequestState>& passage, Step step) {
  Outcome outcome;
  const CurrentRequest current(passage->request_id);
  try {
    outcome = step();
    if (outcome && passage->admitted) leave_access(*passage, *outcome);
  } catch (const std::exception& thrown) {
    passage->problem = thrown.what();
    outcome = Error::of(ErrorCode::internal_error,
                        "The service failed in a way it did not foresee; the request id tells its operators more.");
  }
  if (outcome) finish(*passage, std::move(*outcome));
}

void Pipeline::finish(RequestState& passage, domain::Result<Reply> result) {
  const std::string error(result ? "" : domain::name_of(result.error().code));
  faults::crash_point("request.handled");
  passage.key_in_use.reset();
  const Response response = render(
      {passage.request(), passage.request_id, passage.route,
       passage.context ? std::span<const std::string>(passage.context->ignored) : std::span<const std::string>()},
      std::move(result));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - passage.started;
  observe_({passage.request_id, passage.request().method, passage.route ? passage.route->pattern : "", response.status,
            error, passage.problem, passage.client_id, elapsed.count()});
  faults::crash_point("answer.rendered");
  passage.exchange->answer(response);
}

domain::Status Pipeline::admit(RequestState& passage) {
  const Request& request = passage.request();
  auto match = routes_.match(request.method, request.path);
  if (!match.route) {
    if (match.allowed.empty())
      return Error::of(ErrorCode::route_not_found, "Path not found; api/rest/openapi.yaml lists every path.");
    return Error::of(ErrorCode::method_not_allowed, "Method not allowed.").with_list("allowed", match.allowed);
  }
  const Route& route = *match.route;
  passage.route = &route;
  const auto* accept = request.headers.find("Accept");
  if (!accepts_json(accept) && !(route.offers_csv && wants_csv(accept)) &&
      !(route.offers_ndjson && accepts_ndjson(accept)))
    return Error::of(ErrorCode::not_acceptable, "Responses are application/json; accept that type.");

  auto query = query_of(request.query);
  if (!query) return Error::of(ErrorCode::invalid_parameter, "The query is not properly percent-encoded UTF-8.");

  Context& context =
      passage.context.emplace(Context{request, {}, std::move(match.path), std::move(*query), std::nullopt, {}});
  context.request_context.request_id = passage.request_id;
  context.request_context.operation = route.method + ' ' + route.pattern;
  context.request_context.now = clock_.now();
  if (!route.is_public) {
    auto caller = auth_.caller_of(request.headers.find("Authorization"));
    if (!caller) {
      if (status_of(caller.error().code) < 500)
        trail_.denied_unknown(context.request_context.operation, caller.error().code, passage.request_id);
      return caller.error();
    }
    passage.client_id = caller->client.text();
    context.request_context.caller = std::move(*caller);
    const auto& scopes = context.request_context.caller.scopes;
    const bool lacks_reading =
        route.explains_to && context.query_text("explain") == "true" && !scopes.has(*route.explains_to);
    if (const auto lacked = route.scope && !scopes.has(*route.scope) ? route.scope
                            : lacks_reading                          ? route.explains_to
                                                                     : std::nullopt) {
      trail_.denied(context.request_context, ErrorCode::insufficient_scope);
      return Error::of(ErrorCode::insufficient_scope, "This call needs a scope that the token does not carry.")
          .with("scope", std::string(name_of(*lacked)));
    }
  }

  // RFC 6749 section 3.2 has the token endpoint pass over what it does not know.
  if (!route.is_public)
    if (auto known = check_parameters(route, context.query); !known) return known;

  if (route.body == BodyKind::json) {
    if (!is_json(request.headers.find("Content-Type")))
      return Error::of(ErrorCode::unsupported_media_type, "Send the body as Content-Type: application/json.");
    json::Limits limits;
    if (route.carries_file) limits.string_bytes = options_.file_body_bytes;
    if (const auto parsed = json::parse_taking(passage.exchange->take_body(), passage.document, limits); !parsed)
      return wire::malformed(ErrorCode::malformed_json, *parsed.error);
    if (passage.document.root().kind() != json::Kind::object) return wire::not_an_object(ErrorCode::validation_error);
    context.body = passage.document.root();
  }

  if (const auto* sent = request.headers.find("Idempotency-Key"); sent && !route.is_public && route.method != "GET") {
    if (!is_idempotency_key(*sent))
      return Error::of(ErrorCode::invalid_idempotency_key,
                       "Idempotency-Key must be 1 to 255 visible ASCII characters.");
    auto& key = context.request_context.idempotency.emplace();
    key.key = *sent;
    // The path may be longer than what a database keys by.
    key.scope = crypto::hex_encode(crypto::sha256(request.method + ' ' + request.path)).substr(0, 32) + ' ' + *sent;
    const auto digest = [](std::string_view text) { return crypto::hex_encode(crypto::sha256(text)); };
    key.fingerprint =
        crypto::hex_encode(crypto::sha256(request.method + '\n' + request.path + '\n' + request.query + '\n' +
                                          (context.body ? json::canonical(*context.body, digest) : request.body)));
    key.retention_days = route.answer_retention_days;
    const std::string tenants_key = context.request_context.caller.tenant.text() + ' ' + key.scope;
    passage.key_in_use.emplace(*this, tenants_key);
    if (!passage.key_in_use->taken())
      return Error::of(ErrorCode::idempotency_in_progress,
                       "A request with this Idempotency-Key is being executed; ask again.")
          .retry_after(1);
    passage.key_is_new = recent_keys_.add(tenants_key);
  }

  faults::crash_point("request.accepted");
  return {};
}

/// What the access trail is told of a call that was let in.
void Pipeline::leave_access(const RequestState& passage, const domain::Result<Reply>& result) {
  const auto& request_context = passage.context->request_context;
  if (passage.route->is_public && !result && status_of(result.error().code) < 500)
    trail_.denied_unknown(request_context.operation, result.error().code, passage.request_id);
  if (passage.route->shows_patients)
    trail_.was_read(request_context,
                    passage.context->path.empty() ? passage.request().query : passage.context->path.front(),
                    result ? "ok" : domain::name_of(result.error().code));
}

/// Looks again for as long as a round collides with another request and rounds are left.
Pipeline::Outcome Pipeline::settle(const std::shared_ptr<RequestState>& passage, Outcome outcome) {
  const auto collided = [&] { return outcome && !*outcome && outcome->error().code == ErrorCode::conflict; };
  while (collided() && ++passage->rounds < kConflictRounds) outcome = attempt(passage);
  if (collided() && passage->context->request_context.idempotency)
    return Error::of(ErrorCode::conflict, "Other requests keep changing the same object; send the request again.")
        .retry_after(1);
  if (outcome && !*outcome && !passage->looked) {  // what is refused today may have been done before
    if (auto stored = stored_answer(*passage)) return stored;
  }
  return outcome;
}

/// The stored answer, else the handler's. A starter writes its answer with its effect, so a key that it should not have
/// taken collides there: for a key that is new to this process, as nearly all are, the look comes afterwards, if at
/// all.
Pipeline::Outcome Pipeline::attempt(const std::shared_ptr<RequestState>& passage) {
  Context& context = *passage->context;
  const Route& route = *passage->route;
  const bool look_first = route.handler || !passage->key_is_new || passage->rounds > 0;
  if (look_first) {
    if (auto stored = stored_answer(*passage)) return stored;
  }
  if (route.handler) return route.handler(context);
  return route.starter(context, [this, passage](domain::Result<Reply> result) {
    passage->exchange->resume([this, passage, result = std::move(result)]() mutable {
      proceed(passage, [&] { return settle(passage, std::move(result)); });
    });
  });
}

/// Nothing when there is no key, or no answer under it; an error when the store cannot be asked or the key was used
/// otherwise.
Pipeline::Outcome Pipeline::stored_answer(RequestState& passage) const {
  passage.looked = true;
  const auto& request_context = passage.context->request_context;
  if (!request_context.idempotency) return std::nullopt;
  const auto& key = *request_context.idempotency;
  std::optional<ports::StoredAnswer> stored;
  const auto read = store_.read_one([&](const ports::Records& records) {
    stored = records.answers().find(request_context.caller.tenant, key.scope);
  });
  if (!read) return read.error();
  if (!stored || stored->expires_at <= clock_.now()) return std::nullopt;
  if (stored->fingerprint != key.fingerprint)
    return Error::of(ErrorCode::idempotency_key_reused,
                     "This Idempotency-Key was used for another request; take a new one.");
  Reply reply;
  reply.body = std::move(stored->body);
  reply.replayed = true;
  if (const auto refusal = domain::error_code_named(stored->outcome)) reply.status = status_of(*refusal);
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
    if (heading.route && heading.route->names_rules)
      if (const auto version = wire::rules_version_in(response.body); !version.empty())
        response.headers.add("Rules-Version", std::string(version));
    response.headers.add("Content-Type", result->content_type);
    return response;
  }

  const Error& error = result.error();
  const bool problem = wants_problem_json(request.headers.find("Accept"));
  response.status = status_of(error.code);
  response.body = wire::encode_error(error, heading.request_id, response.status, is_retryable(error.code), problem);
  response.headers.add("Content-Type", problem ? "application/problem+json" : "application/json");
  if (auto challenge = challenge_of(error.code); !challenge.empty()) {
    // RFC 6750 section 3.1: which scope would have been enough.
    if (error.code == ErrorCode::insufficient_scope && !error.details.empty() && error.details.front().first == "scope")
      challenge += ", scope=\"" + error.details.front().second + '"';
    response.headers.add("WWW-Authenticate", std::move(challenge));
  }
  if (error.retry_after_s || response.status == 503)
    response.headers.add("Retry-After", std::to_string(error.retry_after_s.value_or(1)));
  if (error.code == ErrorCode::method_not_allowed) {
    std::string allow;
    for (const auto& method : error.lists.front().second) allow += (allow.empty() ? "" : ", ") + method;
    response.headers.add("Allow", allow);
  }
  if (heading.route && heading.route->is_public) {
    response.headers.add("Cache-Control", "no-store");
    response.headers.add("Pragma", "no-cache");
  }
  return response;
}

Response Pipeline::refuse(const Request& head, Refusal refusal, std::string_view reason) {
  const std::string request_id = request_id_of(head);
  const Error error = Error::of(code_of(refusal), std::string(reason));
  const std::string name(domain::name_of(error.code));
  Response response = render({head, request_id, nullptr, {}}, error);
  observe_({request_id, head.method, "", response.status, name, "", "", 0});
  return response;
}

std::size_t Pipeline::body_limit(const Request& head) const {
  const auto match = routes_.match(head.method, head.path);
  const bool may_be_large =
      match.route && match.route->carries_file && auth_.holds_sealed_token(head.headers.find("Authorization"));
  return may_be_large ? options_.file_body_bytes : options_.json_body_bytes;
}

std::string Pipeline::request_id_of(const Request& request) {
  if (const auto* sent = request.headers.find("X-Request-Id"); sent && is_request_id(*sent)) return *sent;
  return ids_.next<domain::RequestId>().text();
}

}  // namespace tideover::http
