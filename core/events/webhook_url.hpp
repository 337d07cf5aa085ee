// Checks a webhook URL. The check gives the client an early error when it registers an endpoint, and is repeated before
// each attempt. The resolved address is checked by address_guard when the connection is opened. Pure, thread-safe.
#pragma once
#include <string_view>

#include "core/domain/basics/result.hpp"
#include "core/events/address_guard.hpp"

namespace tideover::events {

/// Error validation_error with one fault on the field `url`. Uses the URL parser of the HTTP client that connects
/// later, so that both see the same host.
domain::Status check_webhook_url(std::string_view url, const EgressPolicy& policy);

/// For a URL that passed the check.
Destination destination_of(std::string_view url);

}  // namespace tideover::events
