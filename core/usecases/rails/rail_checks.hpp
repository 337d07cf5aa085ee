// Why a rail cannot pay an advance, or may not pay it instead of another.
//
// Threads: pure functions of what they are given; the rules may be asked.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/ports/plugins/funding_rail.hpp"
#include "core/ports/rules/rule_policy.hpp"

namespace tideover::usecases {

/// The refusal of a rail that this service does not have. `field` is the path of the member that names it.
domain::Error unknown_rail(ports::FundingRails& rails, const std::string& field);

/// Refuses names that are no rail of this service. They are faults of the request itself, so a caller checks them
/// before any state. `prefix` precedes the members `rail` and `fallback` in the path of the fault.
domain::Status check_rail_names(ports::FundingRails& rails, const std::optional<std::string>& rail,
                                const std::vector<std::string>& fallback, const std::string& prefix);

/// Why this rail cannot pay `advance` in one payment; nullopt: it can. Zero is no payment and fits every rail.
std::optional<domain::Error> refusal_of_rail(const ports::RailDescription& rail, domain::Money advance);

/// The plan of a rail for the day that was agreed, if any. A day that this rail cannot serve any more moves to its next
/// one, with `adjusted`. Error invalid_desired_date when the day lies ahead, because paying earlier was not agreed, and
/// when `strict` forbids to move it.
domain::Result<domain::FundingPlan> plan_for_day(ports::FundingRail& rail, std::optional<domain::Date> agreed,
                                                 domain::Timestamp now, bool strict);

/// The refusal while a terms rule fails: terms that no rule made are not offered, compared or paid.
domain::Error terms_rule_failed();

/// Whether the rules propose the same terms for both rails, so that terms made for one may be paid over the other.
/// Error rules_unavailable when a rule fails.
domain::Result<bool> has_same_terms(ports::RulePolicy& rules, const ports::TermsFacts& facts, const std::string& rail,
                                    const std::string& other);

/// Checks the rails that are tried after a reject of `rail`, whose names are known: each is named once, another one,
/// and has the same terms. `field` is the path of the list.
domain::Status check_fallback(ports::RulePolicy& rules, const ports::TermsFacts& facts, const std::string& rail,
                              const std::vector<std::string>& fallback, const std::string& field);

}  // namespace tideover::usecases
