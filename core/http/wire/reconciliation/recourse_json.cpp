#include "core/http/wire/reconciliation/recourse_json.hpp"

namespace tideover::wire {
namespace {

void put_recourse_split(json::Writer& out, const char* key, const domain::RecourseSplit& split) {
  out.key(key).begin_object();
  out.key("future_residuals").cents(split.future_residuals.cents());
  out.key("reserve").cents(split.reserve.cents());
  out.key("funder").cents(split.funder.cents());
  out.end_object();
}

/// What the rule read and decided.
void put_recourse_decision(json::Writer& out, const domain::RecourseEntry& entry) {
  const auto& facts = entry.facts;
  out.key("event").string(name_of(facts.event));
  out.key("amount").cents(facts.amount.cents());
  put_recourse_split(out, "usual", facts.usual);
  put_recourse_split(out, "decided", entry.decision.split);
  out.key("reasons").begin_array();
  for (const auto& reason : entry.decision.reasons) out.string(reason);
  out.end_array();
  if (!entry.decision.problem.empty()) out.key("problem").string(entry.decision.problem);
  if (!entry.rule_id.empty()) {
    out.key("rule_id").string(entry.rule_id);
    out.key("rule_rev").number(entry.rule_rev);
  }
  out.key("rules_version").string(entry.rules.version);
  out.key("facts").begin_object();
  out.key("paid_out").cents(facts.paid_out.cents());
  out.key("owed").cents(facts.owed.cents());
  out.key("carried").cents(facts.carried.cents());
  out.key("reserve").cents(facts.reserve.cents());
  if (facts.days_since_funding) out.key("days_since_funding").number(*facts.days_since_funding);
  out.end_object();
}

}  // namespace

void put_recourse(json::Writer& out, const std::vector<domain::RecourseEntry>& entries) {
  if (entries.empty()) return;
  out.key("recourse").begin_array();
  for (const auto& entry : entries) {
    out.begin_object();
    out.key("id").string(entry.id.text());
    out.key("kind").string(name_of(entry.kind));
    if (entry.kind == domain::RecourseEntry::Kind::event) put_recourse_decision(out, entry);
    put_recourse_split(out, "moved", entry.moved);
    out.key("held").cents(entry.held.cents());
    if (!entry.relief.is_zero()) out.key("relief").cents(entry.relief.cents());
    if (entry.release_on) out.key("release_on").string(format_date(*entry.release_on));
    if (entry.record) out.key("record_id").string(entry.record->text());
    if (entry.remittance) out.key("allocation_number").number(entry.row);
    if (entry.undoes) out.key("undoes").string(entry.undoes->text());
    out.key("posted_at").string(format_timestamp(entry.posted_at));
    out.end_object();
  }
  out.end_array();
}

}  // namespace tideover::wire
