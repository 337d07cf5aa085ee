#include "core/http/wire/operations/task_json.hpp"

#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/json/writer.hpp"
#include "core/http/wire/reconciliation/match_json.hpp"

namespace tideover::wire {
namespace {

void put_members(json::Writer& out, const domain::Task& task) {
  out.key("task_id").string(task.id.text());
  out.key("kind").string(task.kind);
  out.key("status").string(name_of(task.status));
  out.key("object_id").string(task.object_id);
  if (!task.note.empty()) out.key("note").string(task.note);
  out.key("opened_at").string(format_timestamp(task.opened_at));
  out.key("decisions").begin_array();
  if (task.status == domain::TaskStatus::open)
    for (const auto& decision : domain::decisions_of(task)) out.string(decision);
  out.end_array();
  out.key("votes").begin_array();
  for (const auto& vote : task.votes) {
    out.begin_object();
    out.key("client_id").string(vote.client.text());
    out.key("decision").string(vote.decision);
    if (!vote.reason.empty()) out.key("reason").string(vote.reason);
    out.key("at").string(format_timestamp(vote.at));
    out.end_object();
  }
  out.end_array();
  if (!task.decision.empty()) out.key("decision").string(task.decision);
  if (task.closed_at) out.key("closed_at").string(format_timestamp(*task.closed_at));
}

void put_task(json::Writer& out, const domain::Task& task) {
  out.begin_object();
  put_members(out, task);
  out.end_object();
}

void put_proposals(json::Writer& out, const std::vector<usecases::Proposal>& proposals) {
  out.key("proposals").begin_array();
  for (const auto& proposal : proposals) {
    out.begin_object();
    out.key("proposal").string(proposal.id);
    out.key("decision").string(proposal.decision);
    if (!proposal.missing.is_zero()) out.key("missing_amount").cents(proposal.missing.cents());
    if (!proposal.excess.is_zero()) out.key("excess_amount").cents(proposal.excess.cents());
    out.key("candidates").begin_array();
    for (const auto& candidate : proposal.candidates) out.string(candidate);
    out.end_array();
    if (proposal.claim) out.key("claim_index").number(*proposal.claim);
    out.key("step").string(name_of(domain::MatchStep::scored_search));
    out.key("score").number(proposal.score);
    out.key("reasons").begin_array();
    for (const auto& reason : proposal.reasons) out.string(reason);
    out.end_array();
    out.end_object();
  }
  out.end_array();
}

/// The facts for a decision.
void put_settlement(json::Writer& out, const domain::Settlement& settlement) {
  out.key("settlement").begin_object();
  out.key("settlement_id").string(settlement.id.text());
  out.key("claim_identifier").string(settlement.claim_identifier);
  out.key("payer_id").string(settlement.payer_id);
  out.key("submitted_amount").cents(settlement.billed.charge.cents());
  out.key("expected_reimbursement").cents(settlement.expected_reimbursement.cents());
  out.key("advance_amount").cents(settlement.terms.advance_amount.cents());
  out.key("fees_estimate").cents(settlement.terms.fee_estimate.cents());
  out.key("decision_reasons").begin_array();
  for (const auto& reason : settlement.decision_reasons) out.string(reason);
  out.end_array();
  out.end_object();
}

}  // namespace

usecases::TaskDecision decode_task_decision(const json::Value& body, Faults& faults) {
  usecases::TaskDecision decision;
  ObjectReader in(body, "", faults);
  decision.decision = in.required_text("decision", 32);
  decision.reason = in.short_text("reason", 500).value_or("");
  decision.proposal = in.short_text("proposal", 1000).value_or("");
  if ((domain::takes_proposal(decision.decision) || decision.decision == domain::kAssignPayer) &&
      decision.proposal.empty())
    in.require("proposal");
  if (domain::needs_reason(decision.decision) && decision.reason.empty()) in.require("reason");
  in.finish();
  return decision;
}

std::string decode_undo_reason(const json::Value& body, Faults& faults) {
  ObjectReader in(body, "", faults);
  auto reason = in.required_text("reason", 400);
  in.finish();
  return reason;
}

std::string encode_task(const domain::Task& task) {
  std::string body;
  json::Writer out(body);
  put_task(out, task);
  return body;
}

std::string encode_task_view(const usecases::TaskView& view, bool explain) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  put_members(out, view.task);
  if (view.settlement) put_settlement(out, *view.settlement);
  put_proposals(out, view.proposals);
  if (explain) put_trail(out, view.trail);
  out.end_object();
  return body;
}

std::string encode_tasks(const std::vector<domain::Task>& tasks, const PageFrame& page) {
  return encode_list(tasks, page, put_task, [](const domain::Task& task) { return task.id.text(); });
}

}  // namespace tideover::wire
