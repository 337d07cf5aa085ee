// One attempt to pay a provider over a rail, and its steps (core/docs/reliability.md#protocol-steps). An unknown
// outcome is a state of its own and never a failure. Only the transition table in disbursement.cpp says which steps
// exist.
//
// Threads: values and pure functions.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/money.hpp"

namespace tideover::domain {

/// The purpose of the payment. All go through the same steps; only their ledger entries differ
/// (usecases/funding/book_outcome).
enum class Purpose {
  advance,   // once per settlement
  residual,  // of one settlement: as often as one is due, one payout at a time
  payable,   // everything that a practice is owed: as often as something is due, one payout at a time
};
inline constexpr std::string_view name_of(Purpose purpose) {
  switch (purpose) {
    case Purpose::advance:
      return "advance";
    case Purpose::residual:
      return "residual";
    case Purpose::payable:
      return "payable";
  }
  return "payable";
}
inline std::optional<Purpose> purpose_named(std::string_view name) {
  for (const auto purpose : {Purpose::advance, Purpose::residual, Purpose::payable})
    if (name_of(purpose) == name) return purpose;
  return std::nullopt;
}

/// What an attempt pays: the advance or residual of a settlement, or what a practice is owed.
struct PaymentSubject {
  PaymentSubject() = default;
  PaymentSubject(SettlementId id) : settlement(std::move(id)) {}
  static PaymentSubject practice(std::string npi) {
    PaymentSubject subject;
    subject.payee_npi = std::move(npi);
    return subject;
  }
  /// From text of our own store or journal.
  static PaymentSubject trusted(Purpose purpose, std::string text) {
    if (purpose == Purpose::payable) return practice(std::move(text));
    return SettlementId::trusted(std::move(text));
  }
  SettlementId settlement;  // empty for a practice
  std::string payee_npi;    // empty for a settlement
  /// The id that names it in the store, in the rail journal, in tasks and in audit rows.
  const std::string& text() const { return settlement.empty() ? payee_npi : settlement.text(); }
  friend bool operator==(const PaymentSubject&, const PaymentSubject&) = default;
};

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
  submit,      // about to be sent to the rail
  hold_back,   // the journal could not be written, so it was not sent
  accept,      // the rail took it; money is on its way
  settle,      // the money has moved for good
  reject,      // the rail refused for good; in `intent`: no longer to be paid
  lose_track,  // possibly sent, outcome unknown
  resubmit,    // sent again under the same key, to a rail that pays a key once
  hand_over,   // only an operator can find out
  return_,     // the money was returned
  paid,        // an operator found that the rail has paid
  not_paid,    // an operator found that the rail has not paid, and never will
};
inline constexpr int kAttemptEventCount = 11;
/// An advance that was rejected so often is not sent again: every read of its settlement lists its attempts.
inline constexpr int kMostAttempts = 20;
/// Reason code of a payout that was not sent, because the payer took its money back.
inline constexpr const char* kTakenBack = "taken_back";
/// Of an advance that was not sent, because its payer decided on the claim meanwhile.
inline constexpr const char* kClaimDecided = "claim_decided";
/// Of an advance that was not sent, because a rail's statement differs about an earlier payment on the claim.
inline constexpr const char* kPaymentDisputed = "payment_disputed";
/// Reason of a refusal or return that a request to the sandbox made, of which the rail knows nothing.
inline constexpr const char* kSimulatedByRequest = "Simulated by a request to the sandbox.";
std::string_view name_of(AttemptEvent event);

/// The state after `event`; nullopt when the step does not exist.
std::optional<AttemptState> next_state(AttemptState from, AttemptEvent event);

/// The money left, or is certain to leave: the payment is posted.
constexpr bool is_paid(AttemptState state) {
  return state == AttemptState::accepted || state == AttemptState::settled;
}
/// The rail may have paid or not; the outcome is unknown.
constexpr bool is_unclear(AttemptState state) {
  return state == AttemptState::unknown || state == AttemptState::manual;
}
/// A worker has the attempt, or had it and stopped.
constexpr bool is_in_flight(AttemptState state) {
  return state == AttemptState::intent || state == AttemptState::submitting;
}
/// The money did not leave or was returned: another attempt may pay it.
constexpr bool is_undone(AttemptState state) {
  return state == AttemptState::rejected || state == AttemptState::returned;
}

struct DisbursementAttempt {
  TransferId id;
  PaymentSubject subject;
  Purpose purpose = Purpose::advance;
  int number = 1;  // per subject and purpose
  AttemptState state = AttemptState::intent;
  std::string rail;
  std::string rail_key;  // idempotency key at the rail: derived from subject, purpose and number, never random
  Money amount;
  Date effective_date;      // the day on which the rail moves it
  std::string request_key;  // payouts: digest of the Idempotency-Key of the request; empty: none; ports::kAnyKey: lost
  std::string sent_by;      // the node that sent it last; empty: the database belongs to this process
  int epoch = 1;            // raised by the worker that takes the attempt over; fences out a late writer
  std::string rail_reference;
  std::string reason_code;  // of a refusal or return
  std::string reason;
  LedgerTransactionId pending_entry;
  int resolve_tries = 0;
  Timestamp next_resolve_at;  // of the tenant; see `in_progress`
  bool in_progress = false;   // a worker has it until `next_resolve_at`, which is real time then
  Timestamp created_at;
  Timestamp updated_at;

  /// A worker has it until this real time.
  void hold_until(Timestamp lease_end) {
    in_progress = true;
    next_resolve_at = lease_end;
  }
  /// No worker has it. The next question is due at this time of the tenant.
  void ask_at(Timestamp at) {
    in_progress = false;
    next_resolve_at = at;
  }
  /// Goes one step through the table. False, without a change, when the step does not exist.
  bool go(AttemptEvent event);
};

}  // namespace tideover::domain
