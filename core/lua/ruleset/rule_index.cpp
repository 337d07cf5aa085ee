#include "core/lua/ruleset/rule_index.hpp"

#include <algorithm>

namespace tideover::lua {
namespace {

bool lists(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The payer id for rules with a list of payers: the directory's, else the claim's.
std::string payer_of(const ports::ClaimFacts& facts) {
  return domain::plain_payer_id(facts.payer_known ? facts.payer.payer_id : facts.claim.payer_id);
}

/// The first few names.
std::string first_few(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kShown ? text + " and " + std::to_string(names.size() - kShown) + " more" : text;
}

}  // namespace

RuleIndex::RuleIndex(const std::vector<DenialRule>& rules) : words_((rules.size() + 63) / 64) {
  const RuleBits none(words_);
  any_payer_ = any_code_ = of_lines_ = off_ = selected_ = none;
  of_other_type_.fill(none);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const auto& rule = rules[i];
    if (rule.mode == RuleMode::off) add(off_, i);
    if (rule.asks_lines) add(of_lines_, i);
    for (const auto type : {domain::ClaimType::professional, domain::ClaimType::institutional})
      if (rule.claim_type.value_or(type) != type) add(of_other_type_[static_cast<std::size_t>(type)], i);
    if (rule.payers.empty()) add(any_payer_, i);
    for (const auto& payer : rule.payers) add(payers_.try_emplace(payer, none).first->second, i);
    if (rule.codes.empty()) add(any_code_, i);
    for (const auto& code : rule.codes) add(codes_.try_emplace(code, none).first->second, i);
    for (const auto* const fact : rule.needs) {
      auto known =
          std::find_if(needing_.begin(), needing_.end(), [&](const Needing& needing) { return needing.fact == fact; });
      if (known == needing_.end()) known = needing_.insert(known, {fact, none});
      add(known->rules, i);
    }
  }
}

void RuleIndex::select(const Window& window) {
  const auto& claim = window.claim->claim;
  of_code_.assign(claim.service_lines.size(), nullptr);
  listed_.clear();
  if (!codes_.empty())
    for (std::size_t line = 0; line < of_code_.size(); ++line) {
      const auto listed = codes_.find(claim.service_lines[line].cpt);
      if (listed == codes_.end()) continue;
      of_code_[line] = &listed->second;
      listed_.push_back(of_code_[line]);
    }
  lacking_.clear();
  for (const auto& needing : needing_)
    if (is_missing(*needing.fact, window)) lacking_.push_back(&needing.rules);
  const auto payer = payers_.empty() ? payers_.end() : payers_.find(payer_of(*window.claim));
  const auto& of_payer = payer == payers_.end() ? any_payer_ : payer->second;
  const auto& of_other_type = of_other_type_[static_cast<std::size_t>(claim.details.type())];
  for (std::size_t i = 0; i < words_; ++i) {
    auto rules = any_code_[i];
    for (const auto* bits : listed_) rules |= (*bits)[i];
    rules &= (any_payer_[i] | of_payer[i]) & ~of_other_type[i];
    for (const auto* bits : lacking_) rules &= ~(*bits)[i];
    selected_[i] = rules;
  }
}

std::string reason_not_for(const DenialRule& rule, const ports::ClaimFacts& facts) {
  if (rule.claim_type.value_or(facts.claim.details.type()) != facts.claim.details.type())
    return "is for " + std::string(domain::name_of(*rule.claim_type)) + " claims";
  if (!rule.payers.empty() && !lists(rule.payers, payer_of(facts)))
    return "is for " + std::string(rule.payers.size() == 1 ? "payer " : "payers ") + first_few(rule.payers);
  const auto& lines = facts.claim.service_lines;
  if (!rule.codes.empty() &&
      std::none_of(lines.begin(), lines.end(), [&](const auto& line) { return lists(rule.codes, line.cpt); }))
    return "is for lines with " + first_few(rule.codes);
  return {};
}

}  // namespace tideover::lua
