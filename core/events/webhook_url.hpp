// What a webhook URL must look like. This check answers whoever registers an endpoint, early and clearly, and is asked
// again before each try; what a name resolves to is address_guard's business at connect time. Pure, thread-safe.
#pragma once
#include <string_view>

#include "core/domain/basics/result.hpp"
#include "core/events/address_guard.hpp"

namespace tideover::events {

/// Error validation_error with one fault on the field `url`. Read with the parser of the HTTP client that connects
/// later, so that the two cannot disagree about which host is meant.
domain::Status check_webhook_url(std::string_view url, const EgressPolicy& policy);

/// Of a URL that passed the check.
Destination destination_of(std::string_view url);

}  // namespace tideover::events
