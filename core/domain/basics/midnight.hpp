// The instant at which a day begins in UTC. Queries by date use whole UTC days.
#pragma once
#include "core/domain/basics/date.hpp"

namespace tideover::domain {

constexpr Timestamp midnight_of(Date date) {
  return Timestamp::from_ms(date.days() * std::int64_t{86'400'000});
}

}  // namespace tideover::domain
