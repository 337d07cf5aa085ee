// Comparison of database, rail journal and the rail's statement (core/docs/reliability.md#protocol-steps, step 7).
#include "core/usecases/funding/reconcile_rails.hpp"

#include "core/usecases/funding/cancel_settlement.hpp"
#include "core/usecases/rails/change_funding.hpp"
#include "core/usecases/request/tasks.hpp"
#include "tests/usecases/world.hpp"

using namespace tideover;
using domain::AttemptState;
using domain::ErrorCode;
using domain::FundingStatus;
using domain::Money;
using domain::SettlementStatus;
using fakes::FakeRail;
using tests::refusal_of;
using tests::World;
using usecases::Disagreement;
using Kind = ports::RailOutcome::Kind;

namespace {

struct RailBooksWorld : World {
  usecases::ReconcileRails reconcile_rails{*store, *disburse, rails, journal, clock, ids, {}};
  usecases::RailReport report;

  RailBooksWorld() {
    for (auto* rail : {&same_day, &rtp}) {
      rail->description.has_statement = true;
      rail->taken_at = clock.now();
    }
  }
  /// Compares the last day up to now; "what/adopted" of each finding.
  std::vector<std::string> compare() {
    clock.advance_s(60);
    auto compared = reconcile_rails(clock.now().plus_days(-1), clock.now());
    BOOST_REQUIRE_MESSAGE(compared, "comparing failed: " << tests::why(compared));
    report = std::move(*compared);
    std::vector<std::string> found;
    for (const auto& finding : report.findings)
      found.push_back(std::string(name_of(finding.what)) + (finding.adopted ? "/adopted" : "/open"));
    return found;
  }
  void check(const std::vector<std::string>& expected) {
    const auto found = compare();
    BOOST_TEST(found == expected, boost::test_tools::per_element());
    const bool open =
        std::any_of(expected.begin(), expected.end(), [](const auto& name) { return name.ends_with("/open"); });
    BOOST_TEST(report.agrees() == !open);
  }
  void check_agrees_now() { check({}); }
  void close_task(const domain::Task& task) {
    BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
      usecases::close_task({records, caller.tenant, clock.now(), ids}, task, domain::kResolved);
      return {};
    })));
  }
  domain::Settlement in_doubt(FakeRail::Answer answer) {
    const auto terms = adjudicate(review(draft("CLM-1")));
    same_day.script = {{answer}};
    BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::rail_outcome_unknown);
    return terms;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(rail_books, RailBooksWorld)

BOOST_AUTO_TEST_CASE(matching_books_change_nothing) {
  funded("CLM-1");
  same_day.script = {{FakeRail::Answer::reject, "R03"}};
  const auto refused = adjudicate(review(draft("CLM-2")));
  BOOST_TEST(refusal_of(try_confirm(refused.id)) == ErrorCode::rail_rejected);
  const int funded_events = events("settlement.funded");
  check({});
  BOOST_TEST(report.attempts == 2u);
  BOOST_TEST(report.journal_entries == 2u);
  BOOST_TEST(report.statement_lines == 1u);
  BOOST_TEST(events("settlement.funded") == funded_events);
  BOOST_TEST(tasks().empty());
}

BOOST_AUTO_TEST_CASE(a_payment_of_unknown_outcome_is_adopted_from_the_statement) {
  same_day.description.recall = ports::RailRecall::blind;  // only its statement reports the outcome
  const auto terms = in_doubt(FakeRail::Answer::time_out_accepted);
  BOOST_TEST(attempt(terms.id).state == AttemptState::manual);
  BOOST_TEST(tasks("funding_unknown").size() == 1u);
  check({"paid_not_booked/adopted"});
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::funded);
  BOOST_TEST(balance("funding_cash") == -terms.terms.advance_amount);
  BOOST_TEST(events("settlement.funded") == 1);
  BOOST_TEST(tasks().empty());  // closed by the rail's statement
  BOOST_TEST(audit_rows("accepted") == 1);
  check_agrees_now();
}

BOOST_AUTO_TEST_CASE(an_unrecorded_settlement_or_return_is_adopted) {
  const auto settled = funded("CLM-1");
  const auto returned = funded("CLM-2");
  same_day.now_stands(attempt(settled.id).rail_key, Kind::settled);
  same_day.now_stands(attempt(returned.id).rail_key, Kind::returned, "R02");
  auto found = compare();
  std::sort(found.begin(), found.end());
  BOOST_TEST((found == std::vector<std::string>{"returned_not_booked/adopted", "settled_not_booked/adopted"}));
  BOOST_TEST(attempt(settled.id).state == AttemptState::settled);
  BOOST_TEST(settlement(returned.id).status == SettlementStatus::canceled);
  BOOST_TEST(events("funding.returned") == 1);
  BOOST_TEST(balance("funding_cash") == -settled.terms.advance_amount);
  check_agrees_now();
}

BOOST_AUTO_TEST_CASE(an_unknown_payment_that_was_returned_is_booked_with_its_return) {
  const auto terms = in_doubt(FakeRail::Answer::time_out_accepted);
  same_day.now_stands(same_day.only_key(), Kind::returned, "R02");
  check({"returned_not_booked/adopted"});
  BOOST_TEST(attempt(terms.id).state == AttemptState::returned);
  BOOST_TEST(balance("funding_cash") == Money{});
  BOOST_TEST(pending("funding_cash") == Money{});
  check_agrees_now();
}

BOOST_AUTO_TEST_CASE(an_unrecorded_rejection_is_adopted) {
  const auto unknown = in_doubt(FakeRail::Answer::time_out_accepted);
  const auto paid = funded("CLM-2");
  for (const auto& settlement : {unknown, paid})
    same_day.now_stands(attempt(settlement.id).rail_key, Kind::rejected, "R03");
  check({"refused_not_booked/adopted", "refused_not_booked/adopted"});
  BOOST_TEST(settlement(unknown.id).funding_status == FundingStatus::rejected);
  BOOST_TEST(attempt(paid.id).state == AttemptState::returned);  // the rail accepted it first
  BOOST_TEST(balance("funding_cash") == Money{});
  check_agrees_now();
}

BOOST_AUTO_TEST_CASE(a_booked_payment_missing_in_the_statement_opens_a_task) {
  const auto terms = funded("CLM-1");
  same_day.books().clear();
  check({"booked_not_paid/open"});
  check({"booked_not_paid/open"});
  const auto open = tasks("rail_disagreement");
  BOOST_REQUIRE(open.size() == 1u);  // reported once
  BOOST_TEST(open[0].object_id == terms.id.text());
  BOOST_TEST(open[0].note.find("booked_not_paid") != std::string::npos);
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::funded);
}

BOOST_AUTO_TEST_CASE(a_different_amount_opens_a_task) {
  const auto terms = funded("CLM-1");
  same_day.books()[0].amount = terms.terms.advance_amount + Money::cents(1);
  check({"amount_differs/open"});
  BOOST_TEST((*report.findings[0].booked == terms.terms.advance_amount));
  BOOST_TEST((*report.findings[0].paid == terms.terms.advance_amount + Money::cents(1)));
  BOOST_TEST(tasks("rail_disagreement").size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_key_paid_twice_opens_a_task) {
  const auto terms = funded("CLM-1");
  same_day.books().push_back(same_day.books()[0]);
  check({"paid_twice/open"});
  BOOST_TEST(tasks("rail_disagreement")[0].object_id == terms.id.text());
}

BOOST_AUTO_TEST_CASE(a_payment_after_a_rejection_opens_a_task) {
  same_day.script = {{FakeRail::Answer::reject, "R03"}};
  const auto terms = adjudicate(review(draft("CLM-1")));
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::rail_rejected);
  same_day.books().push_back(
      {attempt(terms.id).rail_key, terms.terms.advance_amount, Kind::accepted, "bank-x", "", "", clock.now()});
  check({"paid_not_booked/open"});
  BOOST_TEST(tasks("rail_disagreement").size() == 1u);
  BOOST_TEST(balance("funding_cash") == Money{});
}

BOOST_AUTO_TEST_CASE(a_rejected_payment_that_a_statement_shows_as_paid_stops_every_further_payment) {
  usecases::ChangeFunding change{*store, payers, rules, rails, ids, false};
  usecases::CancelSettlement cancel{*store, ids};
  const auto nothing = [](const auto&) { return std::string(); };
  same_day.script = {{FakeRail::Answer::reject, "R03"}};
  const auto terms = adjudicate(review(draft("CLM-1")));
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::rail_rejected);
  same_day.books().push_back(
      {attempt(terms.id).rail_key, terms.terms.advance_amount, Kind::settled, "bank-x", "", "", clock.now()});
  check({"paid_not_booked/open"});
  const auto task = tasks("rail_disagreement").front();

  const auto confirmed = try_confirm(terms.id, "k2");
  BOOST_TEST(refusal_of(confirmed) == ErrorCode::invalid_state);
  BOOST_TEST(tests::detail_of(confirmed.error(), "task_id") == task.id.text());
  usecases::FundingChange to;
  to.rail = "RTP";
  BOOST_TEST(refusal_of(change(context("change"), terms.id.text(), to, nothing)) == ErrorCode::invalid_state);
  // Another settlement of the claim would pay it, too.
  BOOST_REQUIRE(bool(cancel(context("cancel"), terms.id.text(), nothing)));
  const auto again = review(draft("CLM-1"));
  BOOST_TEST(refusal_of(try_adjudicate(again.authorization_id.text())) == ErrorCode::invalid_state);
  BOOST_TEST(same_day.payment_count() + rtp.payment_count() == 0);

  close_task(task);
  BOOST_REQUIRE(bool(try_confirm(adjudicate(again).id)));
  BOOST_TEST(same_day.payment_count() == 1);
}

// Attempts are numbered per settlement and the rail is not part of the key: only the attempt says which rail got it.
BOOST_AUTO_TEST_CASE(a_payment_of_another_rail_under_the_same_key_is_reported_and_never_adopted) {
  const auto terms = funded("CLM-1");
  const auto paid = attempt(terms.id);
  rtp.books().push_back({paid.rail_key, paid.amount, Kind::settled, "rtp-1", "", "", clock.now()});
  check({"paid_twice/open"});
  BOOST_TEST(report.findings[0].rail == "RTP");
  BOOST_TEST(tasks("rail_disagreement").front().object_id == terms.id.text());
  BOOST_TEST(attempt(terms.id).state == AttemptState::accepted);  // not settled: that was the other rail
  BOOST_TEST(balance("funding_cash") == -terms.terms.advance_amount);
  rtp.books()[0].kind = Kind::rejected;  // moved no money
  check_agrees_now();
}

BOOST_AUTO_TEST_CASE(a_payment_of_another_rail_does_not_end_an_unknown_attempt) {
  same_day.description.recall = ports::RailRecall::blind;
  const auto terms = in_doubt(FakeRail::Answer::time_out_lost);
  rtp.books().push_back(
      {attempt(terms.id).rail_key, terms.terms.advance_amount, Kind::settled, "rtp-1", "", "", clock.now()});
  check({"paid_not_booked/open"});
  BOOST_TEST(attempt(terms.id).state == AttemptState::manual);
  BOOST_TEST(attempt(terms.id).rail == "SAME_DAY");
  BOOST_TEST(balance("funding_cash") == Money{});
}

BOOST_AUTO_TEST_CASE(a_lost_payment_is_adopted_only_from_the_rail_that_it_was_sent_over) {
  const auto terms = adjudicate(review(draft("CLM-1")));
  const std::string key = "key-of-the-lost-attempt";
  BOOST_REQUIRE(bool(journal.append({caller.tenant, terms.id, domain::Purpose::advance, 1, "SAME_DAY", key,
                                     terms.terms.advance_amount, 1, clock.now(), std::nullopt})));
  rtp.books().push_back({key, terms.terms.advance_amount, Kind::settled, "rtp-1", "", "", clock.now()});
  check({"paid_not_booked/open"});
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::pending_confirmation);
  BOOST_TEST(balance("funding_cash") == Money{});
}

BOOST_AUTO_TEST_CASE(an_unknown_payment_opens_a_task_of_the_operator) {
  same_day.books().push_back({"no-key-of-ours", Money::cents(100), Kind::settled, "bank-x", "", "", clock.now()});
  same_day.books().push_back({"", Money::cents(100), Kind::settled, "bank-y", "", "", clock.now()});
  same_day.books().push_back(
      {"refused", Money::cents(100), Kind::rejected, "", "R03", "", clock.now()});  // moved nothing
  for (int day = 0; day < 2; ++day) check({"unknown_to_all/open", "unknown_to_all/open"});
  BOOST_TEST(tasks().empty());  // none of a customer
  const auto operator_tasks = seen([](const ports::Records& records) {
    const auto ours = records.clients().find_tenant("default");
    return ours ? records.tasks().list(ours->id, {}, {"", 9}) : std::vector<domain::Task>();
  });
  BOOST_REQUIRE(operator_tasks.size() == 2u);
  BOOST_TEST(operator_tasks[0].kind == "rail_disagreement");
  BOOST_TEST(operator_tasks[0].object_id == "SAME_DAY");
  BOOST_TEST((operator_tasks[0].note + operator_tasks[1].note).find("bank-x") != std::string::npos);
  BOOST_TEST((operator_tasks[0].note + operator_tasks[1].note).find("bank-y") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_finding_repeated_by_several_nodes_opens_one_task) {
  const auto terms = funded("CLM-1");
  same_day.books().clear();
  usecases::ReconcileRailsOptions there;
  there.node = "node-b";
  usecases::ReconcileRails other(*store, *disburse, rails, journal, clock, ids, there);
  for (int day = 0; day < 3; ++day) {
    check({"booked_not_paid/open"});
    BOOST_REQUIRE(bool(other(clock.now().plus_days(-1), clock.now())));
  }
  const auto open = tasks("rail_disagreement");
  BOOST_REQUIRE(open.size() == 1u);
  close_task(open[0]);
  check({"booked_not_paid/open"});  // reported and logged, but an operator closed its task
  BOOST_TEST(tasks("rail_disagreement").empty());
}

BOOST_AUTO_TEST_CASE(a_comparison_with_the_own_journal_asks_no_rail) {
  funded("CLM-1");
  same_day.books().clear();
  same_day.statement_fails = true;
  clock.advance_s(60);
  const auto found = reconcile_rails(clock.now().plus_days(-1), clock.now(), usecases::Reach::own_journal);
  BOOST_REQUIRE(bool(found));
  BOOST_TEST(found->agrees());
}

BOOST_AUTO_TEST_CASE(a_payment_lost_by_the_database_is_adopted_from_statement_and_journal) {
  const auto terms = adjudicate(review(draft("CLM-1")));
  // The database was restored to a moment before the confirm; journal and bank were not.
  const std::string key = "key-of-the-lost-attempt";
  BOOST_REQUIRE(bool(journal.append({caller.tenant, terms.id, domain::Purpose::advance, 1, "SAME_DAY", key,
                                     terms.terms.advance_amount, 1, clock.now(), std::nullopt})));
  same_day.books().push_back({key, terms.terms.advance_amount, Kind::settled, "bank-1", "", "", clock.now()});
  check({"paid_not_booked/adopted"});
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::funded);
  BOOST_TEST(attempt(terms.id).state == AttemptState::settled);
  BOOST_TEST(balance("funding_cash") == -terms.terms.advance_amount);
  BOOST_TEST(same_day.calls().empty());
  check_agrees_now();
}

BOOST_AUTO_TEST_CASE(an_attempt_without_its_journal_entry_is_found) {
  funded("CLM-1");
  fakes::MemoryJournal empty;
  usecases::ReconcileRails without(*store, *disburse, rails, empty, clock, ids, {});
  clock.advance_s(60);
  const auto found = without(clock.now().plus_days(-1), clock.now());
  BOOST_REQUIRE(bool(found));
  BOOST_REQUIRE(found->findings.size() == 1u);
  BOOST_TEST((found->findings[0].what == Disagreement::journal_missing));
  BOOST_TEST(tasks("rail_disagreement").size() == 1u);
  usecases::ReconcileRailsOptions another;
  another.node = "node-b";  // the journal of the node that sent it may have it
  usecases::ReconcileRails elsewhere(*store, *disburse, rails, empty, clock, ids, another);
  BOOST_TEST(elsewhere(clock.now().plus_days(-1), clock.now())->findings.empty());
}

BOOST_AUTO_TEST_CASE(a_rejection_without_a_journal_entry_is_no_finding) {
  // The process died between `submitting` and the journal; the rail never saw the key and fences it for good.
  same_day.description.recall = ports::RailRecall::fence;
  const auto terms = adjudicate(review(draft("CLM-1")));
  journal.disk_full = true;
  journal.ready_checks_disk = false;
  store->die_after(2);
  BOOST_TEST(!try_confirm(terms.id));
  store->revive();
  journal.disk_full = false;
  BOOST_REQUIRE(attempt(terms.id).state == AttemptState::submitting);
  resolve();
  BOOST_REQUIRE(attempt(terms.id).state == AttemptState::rejected);
  fakes::MemoryJournal empty;
  usecases::ReconcileRails without(*store, *disburse, rails, empty, clock, ids, {});
  clock.advance_s(60);
  BOOST_TEST(without(clock.now().plus_days(-1), clock.now())->findings.empty());
}

BOOST_AUTO_TEST_CASE(an_attempt_of_the_resolver_is_no_finding) {
  const auto terms = adjudicate(review(draft("CLM-1")));
  store->die_after(2);
  BOOST_TEST(!try_confirm(terms.id));
  store->revive();
  BOOST_TEST(attempt(terms.id).state == AttemptState::submitting);
  check({});
}

BOOST_AUTO_TEST_CASE(a_payment_outside_the_period_is_ignored) {
  funded("CLM-1");
  same_day.books().clear();
  clock.advance_days(3);
  check({});
  BOOST_TEST(report.attempts == 0u);
}

BOOST_AUTO_TEST_CASE(an_unreadable_statement_is_no_agreement) {
  funded("CLM-1");
  rtp.description.has_statement = false;
  same_day.statement_fails = true;
  BOOST_TEST(compare().empty());
  BOOST_TEST(!report.agrees());
  BOOST_TEST(report.unreadable.size() == 1u);
  BOOST_TEST((report.without_statement == std::vector<std::string>{"RTP"}));
}

BOOST_AUTO_TEST_SUITE_END()
