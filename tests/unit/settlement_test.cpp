// The life of a settlement: every status x decision x event against core/docs/contract.md#settlements.
#include "core/domain/funding/settlement.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <tuple>

#include "tests/fakes/printing.hpp"

using namespace tideover::domain;

namespace {

constexpr SettlementStatus kStatuses[] = {SettlementStatus::pending_confirmation, SettlementStatus::approved,
                                          SettlementStatus::declined, SettlementStatus::canceled,
                                          SettlementStatus::funded};
constexpr Decision kDecisions[] = {Decision::approved, Decision::declined, Decision::manual_review};
constexpr SettlementEvent kEvents[] = {SettlementEvent::reviewer_approves,
                                       SettlementEvent::reviewer_declines,
                                       SettlementEvent::confirm,
                                       SettlementEvent::cancel,
                                       SettlementEvent::expire,
                                       SettlementEvent::funding_returned};

/// The table, as sentences: what a status admits, apart from who decided.
std::optional<std::string> status_of_contract(const std::string& from, bool undecided, const std::string& event) {
  if (from == "funded") return event == "funding_returned" ? std::optional("canceled") : std::nullopt;
  if (from != "pending_confirmation" && from != "approved") return std::nullopt;  // declined and canceled are the end
  if (event == "cancel" || event == "expire") return "canceled";
  if (undecided) {
    if (event == "reviewer_approves") return "approved";
    if (event == "reviewer_declines") return "declined";
    return std::nullopt;
  }
  return event == "confirm" ? std::optional("funded") : std::nullopt;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(settlement)

BOOST_AUTO_TEST_CASE(every_status_answers_every_event_as_the_contract_says) {
  BOOST_TEST(std::size(kStatuses) == static_cast<std::size_t>(kSettlementStatusCount));
  BOOST_TEST(std::size(kEvents) == static_cast<std::size_t>(kSettlementEventCount));
  for (const auto from : kStatuses)
    for (const auto decision : kDecisions)
      for (const auto event : kEvents) {
        const bool undecided = from == SettlementStatus::pending_confirmation && decision == Decision::manual_review;
        const auto expected = status_of_contract(std::string(name_of(from)), undecided, std::string(name_of(event)));
        const auto next = next_status(from, decision, event);
        BOOST_TEST((next ? name_of(*next) : "no move") == expected.value_or("no move"),
                   name_of(from) << " / " << name_of(decision) << " / " << name_of(event));
      }
}

BOOST_AUTO_TEST_CASE(a_client_is_shown_the_transitions_that_it_can_make) {
  using Names = std::vector<std::string>;
  for (const auto from : kStatuses)
    for (const auto decision : kDecisions) {
      Names expected;
      if (next_status(from, decision, SettlementEvent::confirm)) expected.emplace_back("confirm");
      if (next_status(from, decision, SettlementEvent::cancel)) expected.emplace_back("cancel");
      BOOST_TEST(allowed_events(from, decision) == expected, boost::test_tools::per_element());
    }
  BOOST_TEST(allowed_events(SettlementStatus::pending_confirmation, Decision::manual_review) == Names{"cancel"});
}

BOOST_AUTO_TEST_CASE(only_a_declined_settlement_starts_at_its_end) {
  BOOST_TEST(initial_status(Decision::approved) == SettlementStatus::pending_confirmation);
  BOOST_TEST(initial_status(Decision::manual_review) == SettlementStatus::pending_confirmation);
  BOOST_TEST(initial_status(Decision::declined) == SettlementStatus::declined);
}

BOOST_AUTO_TEST_CASE(every_status_reads_back_from_its_name) {
  for (const auto status : kStatuses) BOOST_TEST(*settlement_status_named(name_of(status)) == status);
  for (const char* name : {"none", "scheduled", "pending_submission", "submitted", "settled", "rejected", "returned",
                           "unknown", "canceled"}) {
    BOOST_REQUIRE_MESSAGE(funding_status_named(name), name);
    BOOST_TEST(name_of(*funding_status_named(name)) == name);
  }
  BOOST_TEST(!settlement_status_named("open"));
  BOOST_TEST(!funding_status_named("open"));
}

BOOST_AUTO_TEST_CASE(terms_can_be_withdrawn_while_no_money_is_under_way) {
  Settlement settlement;
  settlement.decision = Decision::approved;
  settlement.expires_at = Timestamp::from_ms(1000);
  for (const auto funding : {FundingStatus::none, FundingStatus::rejected}) {
    settlement.funding_status = funding;
    BOOST_TEST(has_lapsed(settlement, Timestamp::from_ms(1000)));
    BOOST_TEST(!has_lapsed(settlement, Timestamp::from_ms(999)));
    BOOST_TEST(is_at_rest(settlement));
  }
  for (const auto funding :
       {FundingStatus::pending_submission, FundingStatus::submitted, FundingStatus::unknown, FundingStatus::settled}) {
    settlement.funding_status = funding;
    BOOST_TEST(!has_lapsed(settlement, Timestamp::from_ms(1000)));
    BOOST_TEST(!is_at_rest(settlement));
  }
}

BOOST_AUTO_TEST_SUITE_END()
