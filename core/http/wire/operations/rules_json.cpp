#include "core/http/wire/operations/rules_json.hpp"

#include <algorithm>

#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {
namespace {

constexpr std::size_t kBundleDigits = 64;
constexpr std::size_t kReasonCharacters = 500;
constexpr std::size_t kRuleIdCharacters = 64;

void encode(json::Writer& out, const char* name, const std::vector<std::string>& texts) {
  out.key(name).begin_array();
  for (const auto& text : texts) out.string(text);
  out.end_array();
}

void encode(json::Writer& out, const ports::RuleEntry& rule) {
  out.begin_object();
  out.key("rule_id").string(rule.rule_id);
  out.key("rev").number(rule.rev);
  out.key("mode").string(rule.mode);
  out.key("family").string(rule.family);
  out.key("group").string(rule.group);
  out.key("code").string(rule.code);
  if (!rule.carc.empty()) out.key("carc").string(rule.carc);
  out.key("severity").string(rule.severity);
  if (rule.weight_bps) out.key("weight").decimal4(*rule.weight_bps);
  out.key("strength").number(rule.strength);
  out.key("locked").boolean(rule.is_locked);
  out.key("asks").string(rule.asks_lines ? "line" : "claim");
  out.key("summary").string(rule.summary);
  out.key("fix").string(rule.fix);
  if (!rule.claim_type.empty()) out.key("claim_type").string(rule.claim_type);
  encode(out, "needs", rule.needs);
  encode(out, "payers", rule.payers);
  encode(out, "codes", rule.codes);
  if (rule.counts) {
    out.key("fired").number(static_cast<std::int64_t>(rule.counts->fired));
    out.key("failed").number(static_cast<std::int64_t>(rule.counts->failed));
  }
  out.end_object();
}

void encode(json::Writer& out, const domain::RuleBundle& bundle) {
  out.begin_object();
  out.key("sha256").string(bundle.sha256);
  out.key("version").string(bundle.version);
  out.key("state").string(name_of(bundle.state));
  if (!bundle.reason.empty()) out.key("reason").string(bundle.reason);
  out.key("filed_by").string(bundle.filed_by);
  if (!bundle.approved_by.empty()) out.key("approved_by").string(bundle.approved_by);
  out.key("filed_at").string(format_timestamp(bundle.filed_at));
  out.key("changed_at").string(format_timestamp(bundle.changed_at));
  out.end_object();
}

}  // namespace

std::string encode_rules(const usecases::RulesView& view) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("rules_version").string(view.listing.stamp.version);
  out.key("rules_sha256").string(view.listing.stamp.sha256);
  if (view.live) {
    out.key("effective_at").string(format_timestamp(view.live->effective_at));
    out.key("generation").number(view.live->generation);
    out.key("pinned").boolean(view.live->is_pinned);
  }
  out.key("waiting");
  if (view.waiting)
    encode(out, *view.waiting);
  else
    out.null();
  out.key("rules").begin_array();
  for (const auto& rule : view.listing.rules) encode(out, rule);
  out.end_array();
  out.end_object();
  return body;
}

std::string encode_rule(const ports::RuleEntry& rule) {
  std::string body;
  json::Writer out(body);
  encode(out, rule);
  return body;
}

std::string encode_rule_bundles(const std::vector<domain::RuleBundle>& bundles, const PageFrame& page) {
  return encode_list(
      bundles, page, [](json::Writer& out, const domain::RuleBundle& bundle) { encode(out, bundle); },
      [](const domain::RuleBundle& bundle) { return bundle.sha256; });
}

ReleaseRequest decode_release(const json::Value& body, Faults& faults) {
  ReleaseRequest request;
  ObjectReader in(body, "", faults);
  request.bundle = in.required_text("bundle", kBundleDigits);
  request.reason = in.short_text("reason", kReasonCharacters).value_or("");
  in.finish();
  return request;
}

ReleaseRequest decode_rollback(const json::Value& body, Faults& faults) {
  ReleaseRequest request;
  ObjectReader in(body, "", faults);
  request.bundle = in.short_text("bundle", kBundleDigits).value_or("");
  request.reason = in.short_text("reason", kReasonCharacters).value_or("");
  in.finish();
  return request;
}

ShadowRequest decode_shadow(const json::Value& body, Faults& faults) {
  ShadowRequest request;
  ObjectReader in(body, "", faults);
  request.rule_id = in.required_text("rule_id", kRuleIdCharacters);
  request.is_off = in.boolean("off").value_or(false);
  in.finish();
  return request;
}

std::string encode_rule_bundle(const domain::RuleBundle& bundle) {
  std::string body;
  json::Writer out(body);
  encode(out, bundle);
  return body;
}

std::string encode_live_rules(const domain::LiveRules& live) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("rules_sha256").string(live.sha256);
  out.key("previous_sha256");
  if (live.previous_sha256.empty())
    out.null();
  else
    out.string(live.previous_sha256);
  out.key("generation").number(live.generation);
  out.key("pinned").boolean(live.is_pinned);
  out.key("effective_at").string(format_timestamp(live.effective_at));
  out.end_object();
  return body;
}

}  // namespace tideover::wire
