// `resource_version` orders the events about one object; `funding.submitted` reports an acceptance that is not final.
#include "core/usecases/funding/follow_up_payments.hpp"
#include "core/usecases/request/tasks.hpp"
#include "tests/usecases/funding/funding_world.hpp"

using namespace tideover;
using domain::FundingStatus;
using fakes::FakeRail;
using tests::FundingWorld;
using Kind = ports::RailOutcome::Kind;

namespace {

struct EventWorld : FundingWorld {
  /// Versions of the waiting events of a kind, oldest first.
  std::vector<std::int64_t> versions(const std::string& kind) {
    std::vector<std::int64_t> found;
    for (const auto& row : seen([](const ports::Records& records) { return records.events().unpublished(10'000); }))
      if (row.kind == kind) found.push_back(row.version);
    return found;
  }
  std::int64_t version(const std::string& kind) {
    const auto found = versions(kind);
    BOOST_REQUIRE_MESSAGE(found.size() == 1u, found.size() << " events of " << kind);
    return found.front();
  }
  void follow() { BOOST_REQUIRE(bool(usecases::FollowUpPayments(*store, *disburse, rails, clock, ids, {})())); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(event_versions, EventWorld)

BOOST_AUTO_TEST_CASE(the_events_of_a_settlement_rise_with_it) {
  const auto terms = ready();
  BOOST_TEST(version("adjudication.created") == terms.version);
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
  const auto funded = settlement(terms.id).version;
  BOOST_TEST(funded > terms.version);
  BOOST_TEST(version("settlement.funded") == funded);
  BOOST_TEST(version("funding.submitted") == funded);  // one change

  same_day.now_stands(same_day.only_key(), Kind::settled);
  clock.advance_days(1);
  follow();
  BOOST_TEST(version("funding.settled") == settlement(terms.id).version);
  BOOST_TEST(version("funding.settled") > funded);
}

BOOST_AUTO_TEST_CASE(a_rejected_and_repeated_advance_keeps_the_order) {
  same_day.script = {{FakeRail::Answer::reject, "R03"}};
  const auto terms = ready();
  BOOST_TEST(!try_confirm(terms.id, "first"));
  BOOST_REQUIRE(bool(try_confirm(terms.id, "second")));
  BOOST_TEST(version("funding.rejected") > terms.version);
  BOOST_TEST(version("funding.rejected") < version("settlement.funded"));
}

BOOST_AUTO_TEST_CASE(a_final_acceptance_is_not_submitted) {
  same_day.description.final_on_accept = true;
  const auto settlement = funded("CLM-1");
  BOOST_TEST(this->settlement(settlement.id).funding_status == FundingStatus::settled);
  BOOST_TEST(events("settlement.funded") == 1);
  BOOST_TEST(events("funding.submitted") == 0);
}

BOOST_AUTO_TEST_CASE(an_acceptance_that_is_found_later_is_submitted_then) {
  same_day.script = {{FakeRail::Answer::time_out_accepted}};
  const auto terms = ready();
  BOOST_TEST(!try_confirm(terms.id));
  BOOST_TEST(events("funding.submitted") == 0);
  clock.advance_s(60);
  resolve();
  BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::submitted);
  BOOST_TEST(version("funding.unknown") < version("funding.submitted"));
}

BOOST_AUTO_TEST_CASE(deposits_and_tasks_count_their_own_events) {
  const auto& tenant = caller.tenant;
  const auto deposit = ids.next<domain::DepositId>();
  BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
    const usecases::UnitOfWork unit{records, tenant, clock.now(), ids};
    for (int i = 0; i < 2; ++i) usecases::open_task(unit, {domain::kDepositUnmatched, deposit.text()});
    usecases::close_tasks(unit, domain::kDepositUnmatched, deposit.text(), "matched");
    return {};
  })));
  BOOST_TEST(versions("deposit.unmatched") == (std::vector<std::int64_t>{2, 3}));  // 1 is deposit.received
  BOOST_TEST(versions("task.opened") == (std::vector<std::int64_t>{1, 1}));
  BOOST_TEST(versions("task.closed") == (std::vector<std::int64_t>{2, 2}));
}

BOOST_AUTO_TEST_SUITE_END()
