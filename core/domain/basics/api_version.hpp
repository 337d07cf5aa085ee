// The API version of this service, for requests, responses and webhooks. It changes only with the contract.
#pragma once
#include <string_view>

namespace tideover::domain {

inline constexpr std::string_view kApiVersion = "2026-11-20";

}  // namespace tideover::domain
