// The life of an attempt to pay: every state x event against core/docs/reliability.md#attempt-states.
#include "core/domain/funding/disbursement.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <string>

using namespace tideover::domain;

namespace {

constexpr AttemptState kStates[] = {AttemptState::intent,   AttemptState::submitting, AttemptState::accepted,
                                    AttemptState::settled,  AttemptState::rejected,   AttemptState::unknown,
                                    AttemptState::returned, AttemptState::manual};
constexpr AttemptEvent kEvents[] = {AttemptEvent::submit,   AttemptEvent::hold_back, AttemptEvent::accept,
                                    AttemptEvent::settle,   AttemptEvent::reject,    AttemptEvent::lose_track,
                                    AttemptEvent::resubmit, AttemptEvent::hand_over, AttemptEvent::return_,
                                    AttemptEvent::paid,     AttemptEvent::not_paid};

/// The page's drawing as words: what may follow on each state, by event.
const std::map<std::string, std::map<std::string, std::string>> kDrawn{
    {"intent", {{"submit", "submitting"}, {"reject", "rejected"}, {"lose_track", "unknown"}}},
    {"submitting",
     {{"accept", "accepted"},
      {"settle", "settled"},
      {"reject", "rejected"},
      {"lose_track", "unknown"},
      {"hold_back", "intent"}}},
    {"unknown",
     {{"accept", "accepted"},
      {"settle", "settled"},
      {"reject", "rejected"},
      {"lose_track", "unknown"},
      {"resubmit", "submitting"},
      {"hand_over", "manual"}}},
    {"manual",
     {{"accept", "accepted"},
      {"settle", "settled"},
      {"reject", "rejected"},
      {"paid", "settled"},
      {"not_paid", "rejected"}}},
    {"accepted", {{"accept", "accepted"}, {"settle", "settled"}, {"return", "returned"}}},
    {"settled", {{"return", "returned"}}},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(disbursement)

BOOST_AUTO_TEST_CASE(every_state_answers_every_event_as_drawn) {
  BOOST_TEST(std::size(kStates) == static_cast<std::size_t>(kAttemptStateCount));
  BOOST_TEST(std::size(kEvents) == static_cast<std::size_t>(kAttemptEventCount));
  for (const auto from : kStates)
    for (const auto event : kEvents) {
      const auto row = kDrawn.find(std::string(name_of(from)));
      std::string expected = "no step";
      if (row != kDrawn.end())
        if (const auto cell = row->second.find(std::string(name_of(event))); cell != row->second.end())
          expected = cell->second;
      const auto next = next_state(from, event);
      BOOST_TEST((next ? name_of(*next) : "no step") == expected, name_of(from) << " / " << name_of(event));
    }
}

BOOST_AUTO_TEST_CASE(an_attempt_goes_only_where_the_table_leads) {
  for (const auto from : kStates)
    for (const auto event : kEvents) {
      DisbursementAttempt attempt;
      attempt.state = from;
      BOOST_TEST(attempt.go(event) == next_state(from, event).has_value());
      BOOST_TEST((attempt.state == next_state(from, event).value_or(from)));
    }
}

BOOST_AUTO_TEST_CASE(a_refusal_and_a_return_are_the_end) {
  for (const auto end : {AttemptState::rejected, AttemptState::returned})
    for (const auto event : kEvents) BOOST_TEST(!next_state(end, event));
}

BOOST_AUTO_TEST_CASE(an_attempt_that_may_have_been_paid_is_never_sent_to_the_rail_as_new) {
  for (const auto from : kStates)
    BOOST_TEST((next_state(from, AttemptEvent::submit).has_value()) == (from == AttemptState::intent));
}

BOOST_AUTO_TEST_CASE(a_state_is_paid_unclear_in_flight_or_at_its_end_and_its_name_leads_back_to_it) {
  for (const auto state : kStates) {
    const bool ended = state == AttemptState::rejected || state == AttemptState::returned;
    BOOST_TEST(is_paid(state) + is_unclear(state) + is_in_flight(state) + ended == 1);
    BOOST_TEST((attempt_state_named(name_of(state)) == state));
  }
}

BOOST_AUTO_TEST_SUITE_END()
