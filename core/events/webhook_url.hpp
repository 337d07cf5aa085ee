// The syntax check of webhook URLs. It runs at the registration of an endpoint and before each attempt; address_guard
// checks the resolved address at connect time. Pure functions; thread-safe.
#pragma once
#include <string_view>

#include "core/domain/basics/result.hpp"
#include "core/events/address_guard.hpp"

namespace tideover::events {

/// Error validation_error with one fault for the field `url`. Parsed with the parser of the HTTP client that connects
/// later, so that both agree about the host.
domain::Status check_webhook_url(std::string_view url, const EgressPolicy& policy);

/// For a URL that passed the check.
Destination destination_of(std::string_view url);

}  // namespace tideover::events
