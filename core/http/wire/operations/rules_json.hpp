// Rules and rule bundles as JSON (openapi.yaml).
#pragma once
#include <string>
#include <vector>

#include "core/http/wire/basics/cursor.hpp"
#include "core/http/wire/basics/object_reader.hpp"
#include "core/usecases/rules/read_rules.hpp"

namespace tideover::wire {

std::string encode_rules(const usecases::RulesView& view);
std::string encode_rule(const ports::RuleEntry& rule);
/// `bundles` may have one item more than `limit`; it only shows that there is a next page.
std::string encode_rule_bundles(const std::vector<domain::RuleBundle>& bundles, const PageFrame& page);

struct ReleaseRequest {
  std::string bundle;  // digest or first digits of it; empty only for a rollback
  std::string reason;
};
ReleaseRequest decode_release(const json::Value& body, Faults& faults);
ReleaseRequest decode_rollback(const json::Value& body, Faults& faults);

struct ShadowRequest {
  std::string rule_id;
  bool is_off = false;
};
ShadowRequest decode_shadow(const json::Value& body, Faults& faults);

std::string encode_rule_bundle(const domain::RuleBundle& bundle);
std::string encode_live_rules(const domain::LiveRules& live);

}  // namespace tideover::wire
