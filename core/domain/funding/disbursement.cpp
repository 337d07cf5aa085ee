#include "core/domain/funding/disbursement.hpp"

#include <array>

namespace tideover::domain {
namespace {

using S = AttemptState;
using E = AttemptEvent;

struct Step {
  S from;
  E event;
  S to;
};

constexpr std::array<Step, 23> kSteps{{
    {S::intent, E::submit, S::submitting},
    {S::intent, E::reject, S::rejected},     // the payer took the money back before it was sent
    {S::intent, E::lose_track, S::unknown},  // the journal has the key: it may have been sent
    {S::submitting, E::hold_back, S::intent},
    {S::submitting, E::accept, S::accepted},
    {S::submitting, E::settle, S::settled},
    {S::submitting, E::reject, S::rejected},
    {S::submitting, E::lose_track, S::unknown},
    {S::unknown, E::accept, S::accepted},
    {S::unknown, E::settle, S::settled},
    {S::unknown, E::reject, S::rejected},
    {S::unknown, E::lose_track, S::unknown},
    {S::unknown, E::resubmit, S::submitting},
    {S::unknown, E::hand_over, S::manual},
    {S::manual, E::accept, S::accepted},  // the rail's statement came before the operator's decision
    {S::manual, E::settle, S::settled},
    {S::manual, E::reject, S::rejected},
    {S::manual, E::paid, S::settled},
    {S::manual, E::not_paid, S::rejected},
    {S::accepted, E::accept, S::accepted},  // asked again: on its way
    {S::accepted, E::settle, S::settled},
    {S::accepted, E::return_, S::returned},
    {S::settled, E::return_, S::returned},
}};

constexpr std::array<std::string_view, kAttemptEventCount> kEventNames{"submit", "hold_back",  "accept",   "settle",
                                                                       "reject", "lose_track", "resubmit", "hand_over",
                                                                       "return", "paid",       "not_paid"};

}  // namespace

std::string_view name_of(AttemptEvent event) {
  return kEventNames[static_cast<std::size_t>(event)];
}

std::optional<AttemptState> next_state(AttemptState from, AttemptEvent event) {
  for (const auto& step : kSteps)
    if (step.from == from && step.event == event) return step.to;
  return std::nullopt;
}

bool DisbursementAttempt::go(AttemptEvent event) {
  const auto next = next_state(state, event);
  if (next) state = *next;
  return next.has_value();
}

}  // namespace tideover::domain
