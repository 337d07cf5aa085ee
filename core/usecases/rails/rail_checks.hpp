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

/// Refuses rails that this service does not have, and a fallback that names a rail twice or the one that is tried
/// first. An empty `rail` is not checked. `path`: of the object with the members `rail` and `fallback`, such as
/// "funding.".
domain::Status check_rails(ports::FundingRails& rails, const std::string& rail,
                           const std::vector<std::string>& fallback, const std::string& path);

/// Checks the rails that are tried after a reject of `rail`: each passes `check_rails` and has the same terms.
domain::Status check_fallback(ports::FundingRails& rails, ports::RulePolicy& rules, const ports::TermsFacts& facts,
                              const std::string& rail, const std::vector<std::string>& fallback,
                              const std::string& path);

}  // namespace tideover::usecases
