// One attempt to pay a provider over a rail, and the steps it goes through (core/docs/reliability.md#protocol-steps).
// An outcome that is not known is a state of its own, never a failure. The transition table in disbursement.cpp is the
// only place that knows which steps exist.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/money.hpp"

namespace tideover::domain {

/// What a provider is paid. Both go the same steps; only what they mean to the books differs
/// (usecases/funding/book_outcome).
enum class Purpose {
  advance,   // once per settlement
  residual,  // what its payer's payments left over: as often as they leave something, one payout at a time
};
inline constexpr std::string_view name_of(Purpose purpose) {
  return purpose == Purpose::advance ? "advance" : "residual";
}
inline std::optional<Purpose> purpose_named(std::string_view name) {
  for (const auto purpose : {Purpose::advance, Purpose::residual})
    if (name_of(purpose) == name) return purpose;
  return std::nullopt;
}

enum class AttemptState { intent, submitting, accepted, settled, rejected, unknown, returned, manual };
inline constexpr int kAttemptStateCount = 8;
inline constexpr std::string_view name_of(AttemptState state) {
  switch (state) {
    case AttemptState::intent:
      return "intent";
    case AttemptState::submitting:
      return "submitting";
    case AttemptState::accepted:
      return "accepted";
    case AttemptState::settled:
      return "settled";
    case AttemptState::rejected:
      return "rejected";
    case AttemptState::unknown:
      return "unknown";
    case AttemptState::returned:
      return "returned";
    case AttemptState::manual:
      return "manual";
  }
  return "manual";
}
inline std::optional<AttemptState> attempt_state_named(std::string_view name) {
  for (const auto state :
       {AttemptState::intent, AttemptState::submitting, AttemptState::accepted, AttemptState::settled,
        AttemptState::rejected, AttemptState::unknown, AttemptState::returned, AttemptState::manual})
    if (name_of(state) == name) return state;
  return std::nullopt;
}

enum class AttemptEvent {
  submit,      // about to show it to the rail
  hold_back,   // it could not be witnessed, so it was not shown to the rail after all
  accept,      // the rail took it; money is on its way
  settle,      // the money has moved for good
  reject,      // the rail's final no; of an `intent`: it is not to be paid any more
  lose_track,  // shown to the rail, perhaps, and no word of what became of it
  resubmit,    // once more under the same key, on a rail that pays a key once
  hand_over,   // only an operator can find out
  return_,     // the money came back
  paid,        // an operator found that the rail has paid
  not_paid,    // an operator found that the rail has not paid, and never will
};
inline constexpr int kAttemptEventCount = 11;
/// Reason code of a payout that no rail saw, because the payer took back what it was to pay.
inline constexpr const char* kTakenBack = "taken_back";
/// Of an advance that was not sent, because its payer decided on the claim meanwhile.
inline constexpr const char* kClaimDecided = "claim_decided";
std::string_view name_of(AttemptEvent event);

/// The state after `event`, or nullopt where the step does not exist.
std::optional<AttemptState> next_state(AttemptState from, AttemptEvent event);

/// Money left, or is as good as gone: it is booked.
constexpr bool is_paid(AttemptState state) {
  return state == AttemptState::accepted || state == AttemptState::settled;
}
/// The rail may have paid or not; nobody knows yet.
constexpr bool is_unclear(AttemptState state) {
  return state == AttemptState::unknown || state == AttemptState::manual;
}
/// A worker has it, or had it and died.
constexpr bool is_in_flight(AttemptState state) {
  return state == AttemptState::intent || state == AttemptState::submitting;
}
/// The money did not leave, or came back: it may be paid once more, by another attempt.
constexpr bool is_undone(AttemptState state) {
  return state == AttemptState::rejected || state == AttemptState::returned;
}

struct DisbursementAttempt {
  TransferId id;
  SettlementId settlement;
  Purpose purpose = Purpose::advance;
  int number = 1;  // counted within settlement and purpose
  AttemptState state = AttemptState::intent;
  std::string rail;
  std::string rail_key;  // idempotency key at the rail: derived from settlement, purpose and number, never random
  Money amount;
  Date effective_date;      // when the rail is to move it
  std::string request_key;  // of a payout: digest of the Idempotency-Key of the request that asked for it; empty for
                            // none, ports::kAnyKey where it was lost
  std::string sent_by;  // the node that last went to show it to the rail; empty where the database is one process's own
  int epoch = 1;        // raised by whoever takes the attempt over; a late writer is fenced out
  std::string rail_reference;
  std::string reason_code;  // of a reject or return
  std::string reason;
  LedgerTransactionId pending_entry;
  int resolve_tries = 0;
  Timestamp next_resolve_at;
  Timestamp created_at;
  Timestamp updated_at;

  /// Goes one step through the table; false, and nothing changed, where the step does not exist.
  bool go(AttemptEvent event);
};

}  // namespace tideover::domain
