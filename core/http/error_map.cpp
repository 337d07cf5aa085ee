#include "core/http/error_map.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tideover::http {

using domain::ErrorCode;

namespace {

constexpr auto kStatuses = std::to_array<std::pair<ErrorCode, int>>({
    {ErrorCode::validation_error, 400},
    {ErrorCode::malformed_json, 400},
    {ErrorCode::invalid_parameter, 400},
    {ErrorCode::invalid_cursor, 400},
    {ErrorCode::invalid_desired_date, 400},
    {ErrorCode::invalid_payload, 400},
    {ErrorCode::invalid_idempotency_key, 400},
    {ErrorCode::unsupported_format, 400},
    {ErrorCode::invalid_request, 400},
    {ErrorCode::unsupported_grant_type, 400},
    {ErrorCode::invalid_scope, 400},
    {ErrorCode::unauthorized_client, 400},
    {ErrorCode::invalid_client, 401},
    {ErrorCode::unauthorized, 401},
    {ErrorCode::token_expired, 401},
    {ErrorCode::token_invalid, 401},
    {ErrorCode::insufficient_scope, 403},
    {ErrorCode::environment_mismatch, 403},
    {ErrorCode::baa_required, 403},
    {ErrorCode::tenant_suspended, 403},
    {ErrorCode::not_found, 404},
    {ErrorCode::claim_not_found, 404},
    {ErrorCode::settlement_not_found, 404},
    {ErrorCode::route_not_found, 404},
    {ErrorCode::method_not_allowed, 405},
    {ErrorCode::not_acceptable, 406},
    {ErrorCode::request_timeout, 408},
    {ErrorCode::invalid_state, 409},
    {ErrorCode::invalid_transition, 409},
    {ErrorCode::manual_review_pending, 409},
    {ErrorCode::authorization_already_used, 409},
    {ErrorCode::authorization_expired, 409},
    {ErrorCode::claim_already_advanced, 409},
    {ErrorCode::settlement_already_funded, 409},
    {ErrorCode::rail_rejected, 409},
    {ErrorCode::rail_limit_exceeded, 409},
    {ErrorCode::idempotency_in_progress, 409},
    {ErrorCode::claim_locked, 409},
    {ErrorCode::external_id_in_use, 409},
    {ErrorCode::conflict, 409},
    {ErrorCode::version_conflict, 412},
    {ErrorCode::payload_too_large, 413},
    {ErrorCode::uri_too_long, 414},
    {ErrorCode::unsupported_media_type, 415},
    {ErrorCode::idempotency_key_reused, 422},
    {ErrorCode::rate_limited, 429},
    {ErrorCode::headers_too_large, 431},
    {ErrorCode::internal_error, 500},
    {ErrorCode::service_unavailable, 503},
    {ErrorCode::rail_unavailable, 503},
    {ErrorCode::rail_outcome_unknown, 503},
    {ErrorCode::rules_unavailable, 503},
    {ErrorCode::shutting_down, 503},
});

constexpr bool has_every_code() {
  for (std::size_t code = 0; code < domain::kErrorCodes; ++code)
    if (std::count_if(kStatuses.begin(), kStatuses.end(),
                      [&](const auto& known) { return known.first == static_cast<ErrorCode>(code); }) != 1)
      return false;
  return true;
}
static_assert(has_every_code());

}  // namespace

int status_of(ErrorCode code) {
  for (const auto& [known, status] : kStatuses)
    if (known == code) return status;
  return 500;
}

bool is_retryable(ErrorCode code) {
  const int status = status_of(code);
  return status >= 500 || status == 429 || status == 408 || code == ErrorCode::idempotency_in_progress ||
         code == ErrorCode::conflict;
}

void name_field(domain::Error& error) {
  if (!error.fields.empty()) return;
  switch (error.code) {
    case ErrorCode::invalid_payload:
      return error.fields.push_back({"payload", "cannot be read; see message"});
    case ErrorCode::unsupported_format:
      return error.fields.push_back({"format", "is not one of the allowed formats"});
    case ErrorCode::invalid_desired_date:
      return error.fields.push_back({"funding.desired_date", "is not a date that this rail can use; see message"});
    case ErrorCode::invalid_idempotency_key:
      return error.fields.push_back({"Idempotency-Key", "must be 1 to 255 visible ASCII characters without blanks"});
    case ErrorCode::invalid_scope:
      return error.fields.push_back({"scope", "is not granted to this client; see message"});
    case ErrorCode::unsupported_grant_type:
      return error.fields.push_back({"grant_type", "must be client_credentials"});
    default:
      return;
  }
}

std::string challenge_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_client:
      return "Basic realm=\"tideover\"";
    case ErrorCode::unauthorized:
      return "Bearer realm=\"tideover\"";
    case ErrorCode::token_expired:
    case ErrorCode::token_invalid:
      return "Bearer realm=\"tideover\", error=\"invalid_token\"";
    case ErrorCode::insufficient_scope:
      return "Bearer realm=\"tideover\", error=\"insufficient_scope\"";
    default:
      return "";
  }
}

}  // namespace tideover::http
