#include "core/domain/basics/result.hpp"

#include <array>

namespace tideover::domain {
namespace {

constexpr std::array<std::pair<ErrorCode, std::string_view>, kErrorCodes> kNames{{
    {ErrorCode::validation_error, "validation_error"},
    {ErrorCode::malformed_json, "malformed_json"},
    {ErrorCode::invalid_parameter, "invalid_parameter"},
    {ErrorCode::invalid_cursor, "invalid_cursor"},
    {ErrorCode::invalid_desired_date, "invalid_desired_date"},
    {ErrorCode::invalid_payload, "invalid_payload"},
    {ErrorCode::invalid_idempotency_key, "invalid_idempotency_key"},
    {ErrorCode::unsupported_format, "unsupported_format"},
    {ErrorCode::invalid_request, "invalid_request"},
    {ErrorCode::invalid_client, "invalid_client"},
    {ErrorCode::unsupported_grant_type, "unsupported_grant_type"},
    {ErrorCode::invalid_scope, "invalid_scope"},
    {ErrorCode::unauthorized_client, "unauthorized_client"},
    {ErrorCode::unauthorized, "unauthorized"},
    {ErrorCode::token_expired, "token_expired"},
    {ErrorCode::token_invalid, "token_invalid"},
    {ErrorCode::insufficient_scope, "insufficient_scope"},
    {ErrorCode::environment_mismatch, "environment_mismatch"},
    {ErrorCode::baa_required, "baa_required"},
    {ErrorCode::tenant_suspended, "tenant_suspended"},
    {ErrorCode::not_found, "not_found"},
    {ErrorCode::claim_not_found, "claim_not_found"},
    {ErrorCode::settlement_not_found, "settlement_not_found"},
    {ErrorCode::route_not_found, "route_not_found"},
    {ErrorCode::method_not_allowed, "method_not_allowed"},
    {ErrorCode::not_acceptable, "not_acceptable"},
    {ErrorCode::request_timeout, "request_timeout"},
    {ErrorCode::version_conflict, "version_conflict"},
    {ErrorCode::unsupported_media_type, "unsupported_media_type"},
    {ErrorCode::invalid_state, "invalid_state"},
    {ErrorCode::invalid_transition, "invalid_transition"},
    {ErrorCode::manual_review_pending, "manual_review_pending"},
    {ErrorCode::authorization_already_used, "authorization_already_used"},
    {ErrorCode::authorization_expired, "authorization_expired"},
    {ErrorCode::claim_already_advanced, "claim_already_advanced"},
    {ErrorCode::settlement_already_funded, "settlement_already_funded"},
    {ErrorCode::rail_rejected, "rail_rejected"},
    {ErrorCode::rail_limit_exceeded, "rail_limit_exceeded"},
    {ErrorCode::idempotency_in_progress, "idempotency_in_progress"},
    {ErrorCode::claim_locked, "claim_locked"},
    {ErrorCode::external_id_in_use, "external_id_in_use"},
    {ErrorCode::payload_too_large, "payload_too_large"},
    {ErrorCode::uri_too_long, "uri_too_long"},
    {ErrorCode::headers_too_large, "headers_too_large"},
    {ErrorCode::idempotency_key_reused, "idempotency_key_reused"},
    {ErrorCode::conflict, "conflict"},
    {ErrorCode::rate_limited, "rate_limited"},
    {ErrorCode::internal_error, "internal_error"},
    {ErrorCode::service_unavailable, "service_unavailable"},
    {ErrorCode::rail_unavailable, "rail_unavailable"},
    {ErrorCode::rail_outcome_unknown, "rail_outcome_unknown"},
    {ErrorCode::rules_unavailable, "rules_unavailable"},
    {ErrorCode::shutting_down, "shutting_down"},
}};

}  // namespace

std::string_view name_of(ErrorCode code) {
  for (const auto& [known, name] : kNames)
    if (known == code) return name;
  return "internal_error";
}

std::optional<ErrorCode> error_code_named(std::string_view name) {
  for (const auto& [code, known] : kNames)
    if (known == name) return code;
  return std::nullopt;
}

}  // namespace tideover::domain
