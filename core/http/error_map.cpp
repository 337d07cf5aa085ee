#include "core/http/error_map.hpp"

namespace tideover::http {

using domain::ErrorCode;

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::validation_error:
    case ErrorCode::malformed_json:
    case ErrorCode::invalid_parameter:
    case ErrorCode::invalid_cursor:
    case ErrorCode::invalid_desired_date:
    case ErrorCode::invalid_payload:
    case ErrorCode::invalid_idempotency_key:
    case ErrorCode::unsupported_format:
    case ErrorCode::invalid_request:
    case ErrorCode::unsupported_grant_type:
    case ErrorCode::invalid_scope:
    case ErrorCode::unauthorized_client:
      return 400;
    case ErrorCode::invalid_client:
    case ErrorCode::unauthorized:
    case ErrorCode::token_expired:
    case ErrorCode::token_invalid:
      return 401;
    case ErrorCode::insufficient_scope:
    case ErrorCode::environment_mismatch:
    case ErrorCode::baa_required:
    case ErrorCode::tenant_suspended:
      return 403;
    case ErrorCode::not_found:
    case ErrorCode::claim_not_found:
    case ErrorCode::settlement_not_found:
    case ErrorCode::route_not_found:
      return 404;
    case ErrorCode::method_not_allowed:
      return 405;
    case ErrorCode::not_acceptable:
      return 406;
    case ErrorCode::request_timeout:
      return 408;
    case ErrorCode::invalid_state:
    case ErrorCode::invalid_transition:
    case ErrorCode::manual_review_pending:
    case ErrorCode::authorization_already_used:
    case ErrorCode::authorization_expired:
    case ErrorCode::claim_already_advanced:
    case ErrorCode::settlement_already_funded:
    case ErrorCode::rail_rejected:
    case ErrorCode::rail_limit_exceeded:
    case ErrorCode::idempotency_in_progress:
    case ErrorCode::claim_locked:
    case ErrorCode::conflict:
      return 409;
    case ErrorCode::version_conflict:
      return 412;
    case ErrorCode::payload_too_large:
      return 413;
    case ErrorCode::uri_too_long:
      return 414;
    case ErrorCode::unsupported_media_type:
      return 415;
    case ErrorCode::idempotency_key_reused:
      return 422;
    case ErrorCode::rate_limited:
      return 429;
    case ErrorCode::headers_too_large:
      return 431;
    case ErrorCode::internal_error:
      return 500;
    case ErrorCode::service_unavailable:
    case ErrorCode::rail_unavailable:
    case ErrorCode::rail_outcome_unknown:
    case ErrorCode::rules_unavailable:
    case ErrorCode::shutting_down:
      return 503;
  }
  return 500;
}

bool is_retryable(ErrorCode code) {
  const int status = status_of(code);
  return status >= 500 || status == 429 || status == 408 || code == ErrorCode::idempotency_in_progress ||
         code == ErrorCode::conflict;
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
