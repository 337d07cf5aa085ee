// One attempt to pay an advance over a rail, and the steps it goes through (reliability page, section 3). An outcome
// that is not known is a state of its own, never a failure.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/domain/date.hpp"
#include "core/domain/id.hpp"
#include "core/domain/money.hpp"

namespace tideover::domain {

enum class AttemptState { intent, submitting, accepted, settled, rejected, unknown, returned, manual };
inline constexpr std::string_view name_of(AttemptState state) {
  switch (state) {
    case AttemptState::intent: return "intent";
    case AttemptState::submitting: return "submitting";
    case AttemptState::accepted: return "accepted";
    case AttemptState::settled: return "settled";
    case AttemptState::rejected: return "rejected";
    case AttemptState::unknown: return "unknown";
    case AttemptState::returned: return "returned";
    case AttemptState::manual: return "manual";
  }
  return "manual";
}
inline std::optional<AttemptState> attempt_state_named(std::string_view name) {
  for (const auto state : {AttemptState::intent, AttemptState::submitting, AttemptState::accepted, AttemptState::settled,
                           AttemptState::rejected, AttemptState::unknown, AttemptState::returned, AttemptState::manual})
    if (name_of(state) == name) return state;
  return std::nullopt;
}

struct DisbursementAttempt {
  TransferId id;
  SettlementId settlement;
  int number = 1;
  AttemptState state = AttemptState::intent;
  std::string rail;
  std::string rail_key;  // idempotency key at the rail: derived from settlement and attempt number, never random
  Money amount;
  int epoch = 1;         // raised by whoever takes the attempt over; a late writer is fenced out
  std::string rail_reference;
  std::string reason_code;  // of a reject or return
  std::string reason;
  LedgerTransactionId pending_entry;
  int resolve_tries = 0;
  Timestamp next_resolve_at;
  Timestamp created_at;
  Timestamp updated_at;
};

}  // namespace tideover::domain
