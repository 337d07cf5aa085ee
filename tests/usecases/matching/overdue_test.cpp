// Advances that stay unpaid: overdue tasks, write-offs and aging of receivables.
#include "core/usecases/reconciliation/read_ledger.hpp"
#include "core/usecases/reconciliation/report_waiting.hpp"
#include "core/usecases/reconciliation/write_off_overdue.hpp"
#include "core/usecases/tasks/decide_task.hpp"
#include "core/usecases/tasks/read_tasks.hpp"
#include "tests/usecases/matching/matching_steps_world.hpp"

using namespace tideover;
using domain::FinalStatus;
using domain::Money;
using tests::why;

namespace {

struct OverdueWorld : tests::MatchingStepsWorld {
  /// Moves the clock to so many days after the expected payment date of this advance.
  void wait_past(const std::string& name, int days) {
    const auto expected = settlement(settlements[name]).expected_payment_date;
    clock.advance_days(days_between(clock.now().utc_date(), expected) + days);
  }
  usecases::OverdueReport look(std::size_t at_once = 100) {
    usecases::OverdueReport whole;
    for (bool more = true; more;) {
      const auto round = usecases::WriteOffOverdue(*store, rules, ids, clock, approval_above)(whole.last, at_once);
      BOOST_REQUIRE(bool(round));
      BOOST_REQUIRE(!round->failure);
      whole.tasks += round->tasks;
      whole.written_off += round->written_off;
      whole.proposed += round->proposed;
      whole.last = round->last;
      more = round->more;
    }
    return whole;
  }
  std::string decide(const domain::Task& task, const std::string& decision, const std::string& proposal = "") {
    usecases::DecideTask decide_task{*store, *disburse, payers, ids, false};
    return why(decide_task(context("decide"), task.id.text(), {decision, "a reason", proposal}, tests::task_body));
  }
  std::string undo(const domain::Task& task) {
    usecases::DecideTask decide_task{*store, *disburse, payers, ids, false};
    return why(decide_task.undo(context("undo"), task.id.text(), "a mistake", tests::task_body));
  }
  std::vector<usecases::Proposal> proposals(const domain::Task& task) {
    return usecases::ReadTasks(*store).view(caller.tenant, task.id.text())->proposals;
  }
  std::optional<Money> approval_above;

  int report_waiting() {
    const auto reported = usecases::ReportWaiting(*store, rules, ids, clock)();
    BOOST_REQUIRE(bool(reported));
    return *reported;
  }
  domain::Aging aging() {
    const auto made = usecases::ReadLedger(*sql).aging(caller.tenant, clock.now().utc_date());
    BOOST_REQUIRE(bool(made));
    BOOST_TEST(made->whole.total.amount == made->ledger_balance);
    return *made;
  }
  /// "not_due 1 640.00; 31_60 2 1280.00"
  std::string ages(const domain::PayerAging& payer) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < payer.buckets.size(); ++i)
      if (payer.buckets[i].count > 0)
        lines.push_back(std::string(domain::kAgingNames[i]) + ' ' + std::to_string(payer.buckets[i].count) + ' ' +
                        format_money(payer.buckets[i].amount));
    return joined(lines);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(overdue, OverdueWorld)

BOOST_AUTO_TEST_CASE(an_overdue_advance_opens_one_task_and_is_written_off_later) {
  fund({"A"});
  wait_past("A", 59);
  BOOST_TEST(look().tasks == 0);
  wait_past("A", 60);
  BOOST_TEST(look().tasks == 1);
  BOOST_TEST(look().tasks == 0);
  BOOST_TEST(ends() == "A pending; overdue_payment about A");
  wait_past("A", 179);
  BOOST_TEST(look().written_off == 0);
  BOOST_TEST(holdings() == "receivable A 640.00");

  wait_past("A", 180);
  const int audited = audit_rows();
  BOOST_TEST(look().written_off == 1);
  BOOST_TEST(postings() == "A 0.00 written_off");
  BOOST_TEST(holdings() == "loss_on_receivable 640.00");
  BOOST_TEST(reconciliation(settlements["A"]).shortfall_absorbed == Money::cents(65'280));
  BOOST_TEST(tasks().empty());
  BOOST_TEST(events("reconciliation.posted") == 1);
  BOOST_TEST(audit_rows() == audited + 1);
  BOOST_TEST(look().written_off == 0);
}

BOOST_AUTO_TEST_CASE(an_advance_is_overdue_by_the_time_of_its_tenant) {
  fund({"A"});
  const int until_expected = days_between(clock.now().utc_date(), settlement(settlements["A"]).expected_payment_date);
  shift_clock_days(until_expected + 59);
  BOOST_TEST(look().tasks == 0);
  shift_clock_days(until_expected + 60);
  BOOST_TEST(look().tasks == 1);
  shift_clock_days(until_expected + 180);
  BOOST_TEST(look().written_off == 1);
}

BOOST_AUTO_TEST_CASE(a_clock_that_is_not_trusted_writes_off_for_moved_tenants_only) {
  fund({"A"});
  wait_past("A", 180);
  usecases::WriteOffOverdue write_off(*store, rules, ids, clock);
  BOOST_TEST(write_off({}, 9, ports::Tenants::moved)->written_off == 0);
  shift_clock_days(1);
  BOOST_TEST(write_off({}, 9, ports::Tenants::moved)->written_off == 1);
}

BOOST_AUTO_TEST_CASE(a_clock_that_is_not_trusted_reports_waiting_money_of_moved_tenants_only) {
  arrives(tests::Cash{"D1", 1'000, "T1"});
  clock.advance_days(30);
  usecases::ReportWaiting waiting(*store, rules, ids, clock);
  const auto go_on = [] { return false; };
  BOOST_TEST(*waiting(go_on, ports::Tenants::moved) == 0);
  shift_clock_days(1);
  BOOST_TEST(*waiting(go_on, ports::Tenants::moved) == 1);
}

BOOST_AUTO_TEST_CASE(a_receivable_held_for_a_reviewer_is_not_written_off) {
  fund({"A"});
  arrives(tests::Cash{"D1", 110'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 110'000}}});  // above the charge
  wait_past("A", 180);
  BOOST_TEST(look().written_off == 0);
  BOOST_TEST(!holdings().starts_with("loss_on_receivable"), holdings());
  BOOST_REQUIRE(tasks("overdue_payment").size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_advance_with_an_ambiguous_payment_is_not_written_off) {
  fund({"CLMA-X"});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"CLMAX", 79'000}}});
  wait_past("CLMA-X", 180);
  BOOST_TEST(look().written_off == 0);
}

BOOST_AUTO_TEST_CASE(an_advance_with_a_payment_of_an_unknown_payer_is_not_written_off) {
  fund({"A"});
  arrives(tests::Cash{"D1", 79'000, "T1", 0, ""});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}, 0, ""});
  BOOST_TEST(holdings() == "receivable A 640.00; suspense_unmatched -790.00");
  wait_past("A", 180);
  BOOST_TEST(look().written_off == 0);
}

BOOST_AUTO_TEST_CASE(a_receivable_above_the_bound_is_written_off_with_an_approval) {
  approval_above = Money::cents(63'999);
  fund({"A"});
  wait_past("A", 60);
  BOOST_TEST(look().tasks == 1);
  wait_past("A", 180);
  const auto round = look();
  BOOST_TEST(round.written_off == 0);
  BOOST_TEST(round.proposed == 1);
  BOOST_TEST(look().proposed == 0);
  BOOST_TEST(ends() == "A pending; write_off about A");
  BOOST_TEST(tasks().front().note == "Decide whether to write off 640.00. It is above 639.99.");
  BOOST_TEST(decide(tasks("write_off").front(), "resolved") != "");
  const auto task = tasks("write_off").front();
  BOOST_TEST(decide(task, "write_off") == "");
  BOOST_TEST(holdings() == "loss_on_receivable 640.00");
  BOOST_TEST(postings() == "A 0.00 written_off");
  BOOST_TEST(tasks().empty());

  BOOST_TEST(undo(task) == "");
  BOOST_TEST(holdings() == "receivable A 640.00");
  BOOST_TEST(ends() == "A pending by undone; write_off about A");
  BOOST_TEST(undo(task) != "");  // once
  BOOST_TEST(look().written_off == 0);
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  BOOST_TEST(ends() == "D1 matched; A settled by trace_number");
}

BOOST_AUTO_TEST_CASE(a_receivable_at_the_bound_is_written_off_without_an_approval) {
  approval_above = Money::cents(64'000);
  fund({"A"});
  wait_past("A", 180);
  BOOST_TEST(look().written_off == 1);
  BOOST_TEST(tasks().empty());
}

BOOST_AUTO_TEST_CASE(a_receivable_that_is_kept_is_proposed_again_later) {
  approval_above = Money{};
  fund({"A"});
  wait_past("A", 180);
  BOOST_TEST(look().proposed == 1);
  BOOST_TEST(decide(tasks("write_off").front(), "keep") == "");
  clock.advance_days(59);
  BOOST_TEST(look().proposed == 0);
  clock.advance_days(1);
  BOOST_TEST(look().proposed == 1);
}

BOOST_AUTO_TEST_CASE(unmatched_money_that_may_pay_a_receivable_is_proposed_with_its_write_off) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Cash{"D1", 79'000, "T1"});  // no remittance announces it, and it may pay either
  wait_past("A", 180);
  const auto round = look();
  BOOST_TEST(round.written_off == 0);
  BOOST_TEST(round.proposed == 2);
  const auto open = tasks("write_off");
  BOOST_REQUIRE(open.size() == 2u);
  const auto found = proposals(open.front());
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found.front().id == deposits["D1"].text());
  BOOST_TEST(decide(open.front(), "accept", "another") != "");
  BOOST_TEST(decide(open.front(), "accept", found.front().id) == "");
  BOOST_TEST(ends() == "D1 matched; A partial by person; B pending; write_off about B");
  BOOST_TEST(proposals(tasks("write_off").front()).empty());
  BOOST_TEST(undo(open.front()) == "");
  BOOST_TEST(ends() == "D1 unmatched; A pending by undone; B pending; write_off about B; write_off about A");
}

BOOST_AUTO_TEST_CASE(the_periods_come_from_the_rules) {
  rules.overdue = {5, 10};
  fund({"A"});
  wait_past("A", 5);
  BOOST_TEST(look().tasks == 1);
  wait_past("A", 10);
  BOOST_TEST(look().written_off == 1);
}

BOOST_AUTO_TEST_CASE(a_payment_after_the_write_off_reverses_the_loss) {
  fund({"A"});
  wait_past("A", 200);
  BOOST_TEST(look().written_off == 1);
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  BOOST_TEST(postings() == "A 0.00 written_off, 790.00 settled");
  BOOST_TEST(holdings() == "fee_income -12.80; provider_payable -137.20");
  BOOST_TEST(ends() == "D1 matched; A settled by trace_number");
}

BOOST_AUTO_TEST_CASE(a_paid_or_denied_advance_is_not_overdue) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}, {"B", 0, 100'000, std::nullopt, "4"}}});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  wait_past("A", 400);
  const auto seen = look();
  BOOST_TEST(seen.tasks + seen.written_off == 0);
}

BOOST_AUTO_TEST_CASE(a_payment_closes_the_overdue_task) {
  fund({"A"});
  wait_past("A", 90);
  BOOST_TEST(look().tasks == 1);
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  BOOST_TEST(tasks().empty());
}

BOOST_AUTO_TEST_CASE(a_partial_payment_leaves_the_overdue_task_open) {
  fund({"A", 100'000, "PAYER", {"99213", "85025"}});
  wait_past("A", 90);
  BOOST_TEST(look().tasks == 1);
  arrives(tests::Remittance{"N1", "T1", {{"A", 30'000, 50'000, std::nullopt, "1", "", "99213"}}});
  arrives(tests::Cash{"D1", 30'000, "T1"});
  BOOST_TEST(ends() == "D1 matched; A partial by trace_number; overdue_payment about A");
  arrives(tests::Remittance{"N2", "T2", {{"A", 49'000, 50'000, std::nullopt, "1", "", "85025"}}});
  arrives(tests::Cash{"D2", 49'000, "T2"});
  BOOST_TEST(ends() == "D1 matched; D2 matched; A settled by trace_number");
}

BOOST_AUTO_TEST_CASE(many_overdue_advances_are_processed_in_small_rounds) {
  for (const char* name : {"A", "B", "C", "D", "E"}) fund({name});
  wait_past("A", 180);
  BOOST_TEST(look(2).written_off == 5);
}

BOOST_AUTO_TEST_CASE(the_aging_of_open_receivables_equals_the_ledger) {
  domain::Payer other = payers.payers.front();
  other.payer_id = "OTHER";
  payers.payers.push_back(other);
  fund({"A"});
  fund({"B", 200'000});
  fund({"C", 100'000, "OTHER"});
  BOOST_TEST(ages(aging().whole) == "not_due 3 2560.00");
  for (const auto& [days, bucket] :
       {std::pair(0, "not_due"), std::pair(1, "1_30"), std::pair(30, "1_30"), std::pair(31, "31_60"),
        std::pair(60, "31_60"), std::pair(61, "61_90"), std::pair(91, "91_120"), std::pair(121, "121_180"),
        std::pair(180, "121_180"), std::pair(181, "over_180")}) {
    wait_past("A", days);
    BOOST_TEST(ages(aging().whole) == std::string(bucket) + " 3 2560.00", days);
  }
  fund({"D"});
  auto made = aging();
  BOOST_REQUIRE(made.payers.size() == 2u);
  BOOST_TEST(made.payers[0].payer_id == "OTHER");
  BOOST_TEST(ages(made.payers[0]) == "over_180 1 640.00");
  BOOST_TEST(ages(made.payers[1]) == "not_due 1 640.00; over_180 2 1920.00");

  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  BOOST_TEST(ages(aging().whole) == "not_due 1 640.00; over_180 2 1920.00");
  look();
  BOOST_TEST(ages(aging().whole) == "not_due 1 640.00");
}

BOOST_AUTO_TEST_CASE(an_undone_payment_makes_the_advance_overdue_again) {
  usecases::DecideTask decide_task{*store, *disburse, payers, ids, false};
  fund({"A"});
  wait_past("A", 61);
  BOOST_TEST(look().tasks == 1);
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, "T9"});
  BOOST_TEST(report_waiting() == 0);
  clock.advance_days(8);
  BOOST_TEST(report_waiting() == 2);
  const auto task = tasks("match_ambiguous").front().id.text();
  const auto proposals = usecases::ReadTasks(*store).view(caller.tenant, task)->proposals;
  BOOST_REQUIRE(bool(
      decide_task(context("decide"), task, {"accept", "seen at the bank", proposals.front().id}, tests::task_body)));
  BOOST_TEST(ends() == "D1 matched; A settled by person");
  BOOST_TEST(look().tasks == 0);
  BOOST_REQUIRE(bool(decide_task.undo(context("undo"), task, "the bank erred", tests::task_body)));
  BOOST_TEST(look().tasks == 1);
  BOOST_TEST(look().tasks == 0);
  BOOST_REQUIRE(bool(decide_task(context("resolved"), tasks("overdue_payment").front().id.text(),
                                 {"resolved", "the payer was called", ""}, tests::task_body)));
  BOOST_TEST(look().tasks == 0);
}

// --- deposits without remittance, remittances without deposit ---

BOOST_AUTO_TEST_CASE(a_deposit_and_a_remittance_without_counterpart_are_reported_once) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Remittance{"N2", "T2", {{"B", 60'000}}});
  clock.advance_days(6);
  BOOST_TEST(report_waiting() == 0);
  BOOST_TEST(ends() == "D1 unmatched; A pending; B pending");
  clock.advance_days(1);
  BOOST_TEST(report_waiting() == 2);
  BOOST_TEST(ends() == "D1 unmatched; A pending; B pending; deposit_unmatched about D1; match_ambiguous about N2");
  BOOST_TEST(events("deposit.unmatched") == 1);
  BOOST_TEST(report_waiting() == 0);
  // The missing halves arrive: both tasks close.
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}, -7});
  arrives(tests::Cash{"D2", 60'000, "T2", -7});
  BOOST_TEST(ends() == "D1 matched; D2 matched; A settled by trace_number; B settled_short by trace_number");
  clock.advance_days(30);
  BOOST_TEST(report_waiting() == 0);
}

BOOST_AUTO_TEST_CASE(a_remittance_of_adjustments_only_waits_for_its_deposit) {
  const auto status = [&] {
    return std::string(name_of(status_of(*seen(
        [&](const ports::Records& records) { return records.remittances().find(caller.tenant, remittances["N1"]); }))));
  };
  arrives(tests::Remittance{"N1", "T1", {}, 0, "PAYER", "", -2'500});
  BOOST_TEST(status() == "received");
  clock.advance_days(8);
  BOOST_TEST(report_waiting() == 1);
  BOOST_TEST(ends() == "match_ambiguous about N1");
  arrives(tests::Cash{"D1", 2'500, "T1", -8});
  BOOST_TEST(ends() == "D1 matched");
  BOOST_TEST(status() == "posted");
}

BOOST_AUTO_TEST_CASE(a_remittance_with_a_reassigned_payer_is_announced) {
  usecases::DecideTask decide_task{*store, *disburse, payers, ids, false};
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}, 0, "OTHER"});
  BOOST_TEST(reconciliation(settlements["A"]).announced.empty());
  clock.advance_days(8);
  BOOST_TEST(report_waiting() == 1);
  BOOST_REQUIRE(bool(decide_task(context("decide"), tasks().front().id.text(),
                                 {"assign_payer", "its letterhead says so", "PAYER"}, tests::task_body)));
  BOOST_TEST(reconciliation(settlements["A"]).announced.size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_open_or_closed_task_is_not_reported_again) {
  usecases::DecideTask decide_task{*store, *disburse, payers, ids, false};
  rules.overdue.waiting_days = 3;
  arrives(tests::Cash{"D1", 12'345, ""});  // nothing fits: a task at once
  arrives(tests::Cash{"D2", 23'456, "T2"});
  clock.advance_days(3);
  BOOST_TEST(report_waiting() == 1);
  for (const auto& task : tasks())
    BOOST_REQUIRE(
        bool(decide_task(context("decide"), task.id.text(), {"resolved", "the bank knows", ""}, tests::task_body)));
  clock.advance_days(30);
  BOOST_TEST(report_waiting() == 0);
  BOOST_TEST(tasks().empty());
}

BOOST_AUTO_TEST_CASE(all_waiting_deposits_are_reported_in_one_round) {
  for (int i = 0; i < 205; ++i) arrives(tests::Cash{"D" + std::to_string(i), 100 + i, "T" + std::to_string(i)});
  clock.advance_days(8);
  BOOST_TEST(report_waiting() == 205);
  BOOST_TEST(report_waiting() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
