// Every event that can happen has a kind that an endpoint may subscribe to.
#include "core/domain/operations/event.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <utility>

using namespace tideover::domain;

namespace {

template <std::size_t... I>
std::set<std::string> kinds_of_all_data(std::index_sequence<I...>) {
  return {std::string(kind_of(EventData(std::in_place_index<I>)))...};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(event)

BOOST_AUTO_TEST_CASE(the_kinds_that_can_be_sent_and_subscribed_to_are_the_same) {
  auto sent = kinds_of_all_data(std::make_index_sequence<std::variant_size_v<EventData>>());
  for (const auto status : {ImportStatus::succeeded, ImportStatus::failed})
    sent.emplace(kind_of(ImportFinished{{}, status, 0, 0}));
  sent.emplace(kind_of(ReconciliationPosted{{}, {}, 1, Money::cents(-1), {}, {}}));
  sent.emplace(kind_of(RulesSwitched{{}, {}, {}, true, 1}));
  using Step = PayoutMoved::Step;
  for (const auto step : {Step::unknown, Step::rejected, Step::settled, Step::returned})
    sent.emplace(kind_of(PayoutMoved{step, {}, {}, {}, {}, {}}));
  const std::set<std::string> listed(event_kinds().begin(), event_kinds().end());
  BOOST_TEST(sent == listed, boost::test_tools::per_element());
  BOOST_TEST(listed.size() == event_kinds().size());  // none twice
}

BOOST_AUTO_TEST_CASE(the_event_of_an_import_names_its_outcome) {
  BOOST_TEST(kind_of(ImportFinished{{}, ImportStatus::succeeded, 0, 0}) == "import.completed");
  BOOST_TEST(kind_of(ImportFinished{{}, ImportStatus::failed, 0, 0}) == "import.failed");
}

BOOST_AUTO_TEST_CASE(a_version_is_that_of_the_object_of_the_event) {
  BOOST_TEST(version_of(AdjudicationCreated{}) == 1);
  BOOST_TEST(version_of(SettlementFunded{{}, {}, {}, {}, 5}) == 5);
  BOOST_TEST(version_of(ClaimStatusChanged{"CLM-1", {}, {}, 4}) == 4);
  BOOST_TEST(version_of(ReconciliationPosted{{}, {}, 3, {}, {}, {}}) == 3);
  BOOST_TEST(version_of(RulesSwitched{{}, {}, {}, false, 6}) == 6);
  BOOST_TEST(version_of(TaskOpened{}) < version_of(TaskClosed{}));
}

BOOST_AUTO_TEST_CASE(the_versions_of_a_transfer_follow_its_steps) {
  using Step = PayoutMoved::Step;
  const auto version = [](Step step) { return version_of(PayoutMoved{step, {}, {}, {}, {}, {}}); };
  BOOST_TEST(version(Step::unknown) < version(Step::paid));
  BOOST_TEST(version(Step::paid) < version(Step::settled));
  for (const auto end : {Step::rejected, Step::returned}) BOOST_TEST(version(Step::settled) < version(end));
}

BOOST_AUTO_TEST_CASE(the_spec_s_event_is_there) {
  BOOST_TEST(kind_of(ReconciliationPosted{}) == "reconciliation.posted");
}

BOOST_AUTO_TEST_SUITE_END()
