// Refusals that the operations of webhook endpoints and of their deliveries share.
#pragma once
#include "core/domain/basics/result.hpp"

namespace tideover::usecases {

inline domain::Error no_endpoint() {
  return domain::Error::of(domain::ErrorCode::not_found, "Webhook endpoint not found.");
}

}  // namespace tideover::usecases
