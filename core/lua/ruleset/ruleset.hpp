// A published rule bundle: its files, their digest and the results of the loader. Immutable; shared between threads as
// shared_ptr<const Ruleset>.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/domain/basics/tenant.hpp"
#include "core/domain/claims/institutional.hpp"
#include "core/domain/funding/recourse.hpp"
#include "core/domain/reconciliation/overdue.hpp"
#include "core/domain/reviews/forecast.hpp"
#include "core/domain/reviews/review.hpp"
#include "core/lua/vm/bundle_tables.hpp"

namespace tideover::lua {

struct FactField;

enum class RuleMode { live, shadow, off };
std::string_view name_of(RuleMode mode);
std::string_view name_of(domain::Finding::Effect effect);
std::string_view name_of(domain::Finding::Severity severity);

inline constexpr std::array kProfiles = {domain::ValidationProfile::lenient, domain::ValidationProfile::standard,
                                         domain::ValidationProfile::strict};

/// The effect of a rule for tenants of one validation profile.
struct ProfileEffect {
  domain::Finding::Effect effect = domain::Finding::Effect::reason;
  int confidence_cap_bps = domain::kOneInBps;
};

struct DenialRule {
  std::string id;    // "denial.timely_filing"
  std::string file;  // "denial/timely_filing.lua"
  std::int64_t rev = 1;
  bool asks_lines = false;  // each = 'line': it is called for every line
  RuleMode mode = RuleMode::live;
  std::string family;
  std::string group;
  std::string code;
  std::string carc;
  std::string summary;
  std::string fix;
  std::optional<int> weight_bps;  // prior P(denied | it fires); without it each finding needs its probability
  int strength = 20;              // of that prior, in claims
  bool lock = false;              // observed results do not change the weight
  domain::Finding::Severity severity = domain::Finding::Severity::moderate;
  std::vector<const FactField*> needs;  // optional facts; without one of them the rule is silent and is not called
  std::optional<domain::ClaimType> claim_type;  // of the claims that it is for; nullopt for both
  std::vector<std::string> payers;              // payers of the rule; empty for all
  std::vector<std::string>
      codes;          // procedures of the rule: claims with such a line, or with `asks_lines` such lines; empty for all
  std::string field;  // "service_lines[].cpt": the brackets get the index of the finding's line
  std::array<ProfileEffect, kProfiles.size()> profiles;  // by ValidationProfile
};

struct TermsRule {
  std::string id;
  std::string file;
  std::int64_t rev = 1;
};

/// Decides who bears what payers take back. Empty file: none, so that the usual bearers keep every amount.
struct RecourseRule {
  std::string id;
  std::string file;
  std::int64_t rev = 1;
  domain::RecoursePolicy policy{};
};

struct Param {
  using Value = std::variant<bool, std::int64_t, double, std::string>;
  std::string name;
  Value value;
  std::string unit{}, note{};           // either may be empty
  std::optional<double> low{}, high{};  // range of a number
  bool is_read_by_core = false;
};
/// In the form of a rule file.
std::string shown(const Param::Value& value);

struct Ruleset {
  std::shared_ptr<const Bundle> bundle;
  TableSet tables;                        // official tables, or samples
  TableSet sample_tables;                 // of the bundle itself, for its cases
  std::optional<tables::ClaimFees> fees;  // from the fee schedule; nullopt when the bundle has none
  domain::RulesStamp stamp;
  std::vector<DenialRule> denial;  // in the order of ruleset.lua
  TermsRule terms;
  RecourseRule recourse;
  std::vector<Param> params;
  domain::ForecastPolicy policy;
  domain::OverduePolicy overdue;
};

}  // namespace tideover::lua
