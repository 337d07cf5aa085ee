#include "core/domain/funding/recourse.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "core/domain/basics/enum_names.hpp"
#include "core/domain/basics/within.hpp"

namespace tideover::domain {
namespace {

constexpr std::array<std::string_view, 5> kEventNames{"takeback", "overpayment", "foreign_recovery", "returned_deposit",
                                                      "short_payment"};
constexpr std::array<std::string_view, 4> kKindNames{"event", "held", "released", "given_back"};

RecourseSplit operator-(const RecourseSplit& a, const RecourseSplit& b) {
  return {a.future_residuals - b.future_residuals, a.reserve - b.reserve, a.funder - b.funder};
}

RecourseSplit operator-(const RecourseSplit& split) {
  return RecourseSplit{} - split;
}

/// Empty where the split is possible.
std::string fault_of(const RecourseSplit& split, const RecourseFacts& facts) {
  if (split.future_residuals < Money{} || split.reserve < Money{} || split.funder < Money{})
    return "a part of the amount is below zero";
  if (split.sum() != facts.amount)
    return "the parts add up to " + format_money(split.sum()) + ", not to " + format_money(facts.amount);
  if (facts.event == RecourseEvent::overpayment) {
    if (split.funder > Money{}) return "the funder keeps nothing of an overpayment";
    return {};
  }
  if (split.reserve > std::max(facts.reserve, Money{}))
    return "the reserve holds " + format_money(facts.reserve) + " only";
  return {};
}

}  // namespace

std::string_view name_of(RecourseEvent event) {
  return kEventNames[static_cast<std::size_t>(event)];
}

std::optional<RecourseEvent> recourse_event_named(std::string_view name) {
  return enum_named<RecourseEvent>(kEventNames, name);
}

std::string_view name_of(RecourseEntry::Kind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

std::optional<RecourseEntry::Kind> recourse_kind_named(std::string_view name) {
  return enum_named<RecourseEntry::Kind>(kKindNames, name);
}

RecourseDecision bound_recourse(const std::optional<RecourseProposal>& proposal, const RecourseFacts& facts) {
  if (!proposal) return {facts.usual, {}, {}};
  if (auto fault = fault_of(proposal->split, facts); !fault.empty())
    return {facts.usual, proposal->reasons, std::move(fault)};
  return {proposal->split, proposal->reasons, {}};
}

RecourseSplit transfer_of(const RecourseDecision& decision, const RecourseFacts& facts) {
  // The accounts have the usual split already. A charge debits its bearer; an overpayment credits it.
  const auto change = decision.split - facts.usual;
  return facts.event == RecourseEvent::overpayment ? change : -change;
}

RecoursePolicy bounded(RecoursePolicy policy, std::vector<std::string>& problems) {
  const auto keep = [&](const char* name, int& value, int least, int most) {
    if (value >= least && value <= most) return;
    problems.push_back(std::string(name) + " must be from " + std::to_string(least) + " to " + std::to_string(most));
    value = within(value, least, most);
  };
  const auto not_negative = [&](const char* name, Money& value) {
    if (value >= Money{}) return;
    problems.push_back(std::string(name) + " must not be below zero");
    value = Money{};
  };
  keep("hold_days", policy.hold_days, 0, kMostHoldDays);
  keep("reserve_percentage (in bps)", policy.reserve_bps, 0, kMostReserveBps);
  keep("reserve_days", policy.reserve_days, 1, kMostReserveDays);
  not_negative("least_advance_cents", policy.least_advance);
  not_negative("least_fee_cents", policy.least_fee);
  if (policy.balance_floor && *policy.balance_floor > Money{}) {
    problems.emplace_back("balance_floor_cents must be zero or below");
    policy.balance_floor = Money{};
  }
  if (policy.fee_tiers.size() > kMostFeeTiers) {
    problems.push_back("there are more than " + std::to_string(kMostFeeTiers) + " fee_tiers");
    policy.fee_tiers.resize(kMostFeeTiers);
  }
  int day = 0, bps = 0;
  for (const auto& tier : policy.fee_tiers) {
    if (tier.from_day <= day || tier.from_day > kMostFeeDays || tier.bps < bps || tier.bps > kOneInBps) {
      problems.emplace_back(
          "fee_tiers must be in order of their days, from 1 to 730, and no fee may be below the one "
          "before");
      policy.fee_tiers.clear();
      break;
    }
    day = tier.from_day;
    bps = tier.bps;
  }
  return policy;
}

void apply_policy(BoundedTerms& bounded, const RecoursePolicy& policy, const TermsLimits& limits, int expected_days,
                  const std::optional<Money>& balance) {
  auto& terms = bounded.terms;
  const Money most = portion(terms.advance_amount, limits.max_fee_bps);
  terms.fee_estimate = std::max(terms.fee_estimate, std::min(policy.least_fee, most));
  if (!policy.fee_tiers.empty()) {
    terms.fee_steps = {{0, terms.fee_estimate}};
    for (const auto& tier : policy.fee_tiers) {
      // No step is below the one before, and no tier above the limit.
      const Money fee = std::min(portion(terms.advance_amount, tier.bps), most);
      terms.fee_steps.push_back({tier.from_day, std::max(fee, terms.fee_steps.back().fee)});
    }
    terms.fee_estimate = fee_after(terms, expected_days);
  }
  terms.hold_days = policy.hold_days;
  terms.reserve_bps = policy.reserve_bps;
  terms.reserve_days = policy.reserve_days;
  const auto decline = [&](const char* why) {
    bounded.decision = Decision::declined;
    bounded.reasons.emplace_back(why);
  };
  if (bounded.decision == Decision::declined) return;
  if (terms.advance_amount < policy.least_advance) decline("advance_below_least");
  if (policy.balance_floor && balance && *balance < *policy.balance_floor) decline("practice_balance_below_floor");
}

RecourseEntry opposite_of(const RecourseEntry& entry) {
  auto opposite = entry;
  opposite.undoes = entry.id;
  opposite.moved = -entry.moved;
  opposite.held = -entry.held;
  opposite.relief = -entry.relief;
  opposite.release_on.reset();
  return opposite;
}

std::vector<RecourseEntry> standing(const std::vector<RecourseEntry>& entries) {
  std::set<LedgerTransactionId> undone;
  for (const auto& entry : entries)
    if (entry.undoes) undone.insert(*entry.undoes);
  std::vector<RecourseEntry> left;
  for (const auto& entry : entries)
    if (!entry.undoes && !undone.contains(entry.id)) left.push_back(entry);
  return left;
}

Money held_of(const std::vector<RecourseEntry>& entries) {
  Money held;
  for (const auto& entry : entries) held += entry.held;
  return held;
}

RecourseSplit relieved_of(const std::vector<RecourseEntry>& entries) {
  RecourseSplit relieved;
  for (const auto& entry : standing(entries)) {
    if (entry.relief.is_zero()) continue;
    const bool begins = entry.relief > Money{};
    const Money of_funder =
        begins ? std::min(entry.relief, std::max(-entry.moved.funder, Money{})) : -entry.moved.funder;
    relieved.funder += of_funder;
    relieved.reserve += entry.relief - of_funder;
  }
  return relieved;
}

RecourseSplit shifted_of(const std::vector<RecourseEntry>& entries) {
  RecourseSplit shifted;
  for (const auto& entry : standing(entries)) {
    const auto& moved = entry.moved;
    if (entry.kind == RecourseEntry::Kind::event && moved.funder > Money{}) {
      const Money of_practice = std::min(moved.funder, std::max(-moved.future_residuals, Money{}));
      shifted.funder += moved.funder;
      shifted.future_residuals += of_practice;
      shifted.reserve += moved.funder - of_practice;
    }
    if (entry.kind == RecourseEntry::Kind::given_back && entry.relief.is_zero() && entry.held.is_zero()) {
      shifted.funder += moved.funder;
      shifted.future_residuals -= moved.future_residuals;
      shifted.reserve -= moved.reserve;
    }
  }
  return shifted;
}

std::string account::practice_reserve(const TenantId& tenant) {
  return "practice_reserve:" + tenant.text();
}

}  // namespace tideover::domain
