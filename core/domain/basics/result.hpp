// Errors as values. ErrorCode lists everything that can be refused; core/http/error_map maps it to HTTP statuses. An
// Error has all faults of a request, not only the first.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tideover::domain {

enum class ErrorCode {
  validation_error,
  malformed_json,
  invalid_parameter,
  invalid_cursor,
  invalid_desired_date,
  invalid_payload,
  invalid_idempotency_key,
  unsupported_format,
  invalid_request,
  invalid_client,
  unsupported_grant_type,
  invalid_scope,
  unauthorized_client,
  unauthorized,
  token_expired,
  token_invalid,
  insufficient_scope,
  environment_mismatch,
  baa_required,
  tenant_suspended,
  not_found,
  claim_not_found,
  settlement_not_found,
  route_not_found,
  method_not_allowed,
  not_acceptable,
  request_timeout,
  version_conflict,
  unsupported_media_type,
  invalid_state,
  invalid_transition,
  manual_review_pending,
  authorization_already_used,
  authorization_expired,
  claim_already_advanced,
  settlement_already_funded,
  rail_rejected,
  rail_limit_exceeded,
  idempotency_in_progress,
  claim_locked,
  external_id_in_use,  // another object of the tenant has it
  payload_too_large,
  uri_too_long,
  headers_too_large,
  idempotency_key_reused,
  conflict,  // two transactions collided on a unique value: send the request again
  rate_limited,
  internal_error,
  service_unavailable,
  rail_unavailable,
  rail_outcome_unknown,
  rules_unavailable,
  shutting_down,
};
/// The number of codes; shutting_down is the last one.
inline constexpr std::size_t kErrorCodes = static_cast<std::size_t>(ErrorCode::shutting_down) + 1;

/// The wire name of a code, e.g. "validation_error" (core/docs/contract.md#errors).
std::string_view name_of(ErrorCode code);
std::optional<ErrorCode> error_code_named(std::string_view name);

/// One fault of an input field. `path` is spelled as in the request: "service_lines[0].units".
struct FieldFault {
  std::string path;
  std::string problem;  // "required" or a short sentence
};

struct Error {
  ErrorCode code = ErrorCode::internal_error;
  std::string message;
  std::vector<FieldFault> fields;
  std::vector<std::pair<std::string, std::string>> details;             // name -> text
  std::vector<std::pair<std::string, std::vector<std::string>>> lists;  // name -> allowed values and the like
  std::optional<int> retry_after_s;

  static Error of(ErrorCode code, std::string message) { return Error{code, std::move(message), {}, {}, {}, {}}; }
  Error&& with(std::string name, std::string text) && {
    details.emplace_back(std::move(name), std::move(text));
    return std::move(*this);
  }
  Error&& with_list(std::string name, std::vector<std::string> values) && {
    lists.emplace_back(std::move(name), std::move(values));
    return std::move(*this);
  }
  Error&& retry_after(int seconds) && {
    retry_after_s = seconds;
    return std::move(*this);
  }
};

/// A value or the Error that explains its absence.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : held_(std::in_place_index<1>, std::move(error)) {}
  explicit operator bool() const { return held_.index() == 0; }
  T& operator*() & { return std::get<0>(held_); }
  const T& operator*() const& { return std::get<0>(held_); }
  T&& operator*() && { return std::get<0>(std::move(held_)); }
  T* operator->() { return &std::get<0>(held_); }
  const T* operator->() const { return &std::get<0>(held_); }
  Error& error() { return std::get<1>(held_); }
  const Error& error() const { return std::get<1>(held_); }

 private:
  std::variant<T, Error> held_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}
  explicit operator bool() const { return !error_; }
  Error& error() { return *error_; }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace tideover::domain
