// A world of matching steps in which a reviewer decides: helpers for proposals, decisions and their undo.
#pragma once
#include "core/usecases/funding/cancel_settlement.hpp"
#include "core/usecases/reconciliation/report_waiting.hpp"
#include "core/usecases/request/tasks.hpp"
#include "core/usecases/tasks/decide_task.hpp"
#include "core/usecases/tasks/read_tasks.hpp"
#include "tests/usecases/matching/matching_steps_world.hpp"

namespace tideover::tests {

struct ProposalWorld : MatchingStepsWorld {
  explicit ProposalWorld(domain::PostOn post_on = domain::PostOn::deposit,
                         const domain::PostingSizes& sizes = posting_sizes_of_environment())
      : MatchingStepsWorld(post_on, sizes) {}

  usecases::DecideTask decide_task{*store, *disburse, payers, ids, false, &rules};
  usecases::CancelSettlement cancel_settlement{*store, ids, &rules};

  std::string task_about(const std::string& name) {
    for (const auto& task : tasks())
      if (names[task.object_id] == name && domain::is_about_matching(task.kind)) return task.id.text();
    BOOST_FAIL("no task is open about " + name);
    return "";
  }
  std::vector<usecases::Proposal> proposals(const std::string& task) {
    return usecases::ReadTasks(*store).view(caller.tenant, task)->proposals;
  }
  /// "100 N1: trace_number_equal amount_equal; 60 N2+N3: ..."
  std::string proposed(const std::string& task) {
    std::vector<std::string> lines;
    for (const auto& proposal : proposals(task)) {
      std::string line = std::to_string(proposal.score);
      for (const auto& candidate : proposal.candidates)
        line += (&candidate == &proposal.candidates.front() ? ' ' : '+') + names[candidate];
      if (proposal.claim) line += " claim " + std::to_string(*proposal.claim);
      line += ':';
      for (const auto& reason : proposal.reasons) line += ' ' + reason;
      lines.push_back(line);
    }
    return joined(lines);
  }
  std::string proposal_of(const std::string& task, const std::vector<std::string>& of) {
    for (const auto& proposal : proposals(task)) {
      std::vector<std::string> shown;
      for (const auto& candidate : proposal.candidates) shown.push_back(names[candidate]);
      if (shown == of) return proposal.id;
    }
    BOOST_FAIL("it is not proposed");
    return "";
  }
  domain::Result<usecases::StoredResponse> accept(const std::string& task, const std::string& proposal) {
    return decide_task(context("decide"), task, {domain::kAccept.data(), "seen at the bank", proposal}, task_body);
  }
  domain::Result<usecases::StoredResponse> decide(const std::string& task, std::string_view decision,
                                                  const std::string& proposal = "") {
    return decide_task(context("decide"), task, {std::string(decision), "asked the payer", proposal}, task_body);
  }
  void open_question(const std::string& object) {
    BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
      usecases::open_task({records, caller.tenant, clock.now(), ids}, {domain::kMatchAmbiguous, object, "Two fit."});
      return {};
    })));
  }
  /// Adds this payer to the directory, so that a reviewer can assign it.
  void know_payer() {
    payers.payers.emplace_back().payer_id = "PAYER";
    payers.payers.back().name = "The Payer";
  }
  domain::Result<usecases::StoredResponse> undo(const std::string& task) {
    return decide_task.undo(context("undo"), task, "the bank erred", task_body);
  }
  /// Runs the daily report of waiting items so many days later.
  void after_days(int days) {
    clock.advance_days(days);
    BOOST_TEST(bool(usecases::ReportWaiting(*store, rules, ids, clock)()));
  }
};

}  // namespace tideover::tests
