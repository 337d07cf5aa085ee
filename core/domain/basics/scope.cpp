#include "core/domain/basics/scope.hpp"

#include <algorithm>
#include <array>

namespace tideover::domain {
namespace {

constexpr std::array<std::pair<Scope, std::string_view>, 20> kScopes{{
    {Scope::claims_read, "claims:read"},
    {Scope::claims_write, "claims:write"},
    {Scope::reviews_write, "reviews:write"},
    {Scope::adjudications_write, "adjudications:write"},
    {Scope::settlements_read, "settlements:read"},
    {Scope::settlements_confirm, "settlements:confirm"},
    {Scope::settlements_cancel, "settlements:cancel"},
    {Scope::reconciliation_read, "reconciliation:read"},
    {Scope::deposits_write, "deposits:write"},
    {Scope::imports_read, "imports:read"},
    {Scope::imports_write, "imports:write"},
    {Scope::metadata_read, "metadata:read"},
    {Scope::webhooks_manage, "webhooks:manage"},
    {Scope::events_read, "events:read"},
    {Scope::tasks_read, "tasks:read"},
    {Scope::tasks_decide, "tasks:decide"},
    {Scope::rules_read, "rules:read"},
    {Scope::rules_write, "rules:write"},
    {Scope::audit_read, "audit:read"},
    {Scope::admin, "admin"},
}};

constexpr std::uint64_t bit(Scope scope) {
  return static_cast<std::uint64_t>(scope);
}

constexpr std::uint64_t kAll = (1u << 20) - 1;
constexpr std::uint64_t kRead = bit(Scope::claims_read) | bit(Scope::settlements_read) |
                                bit(Scope::reconciliation_read) | bit(Scope::imports_read) | bit(Scope::metadata_read) |
                                bit(Scope::events_read) | bit(Scope::tasks_read);

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 7> kRoles{{
    {"integrator",
     kAll & ~(bit(Scope::tasks_decide) | bit(Scope::rules_read) | bit(Scope::rules_write) | bit(Scope::admin))},
    {"submitter", bit(Scope::claims_read) | bit(Scope::claims_write) | bit(Scope::reviews_write) |
                      bit(Scope::adjudications_write) | bit(Scope::imports_read) | bit(Scope::imports_write) |
                      bit(Scope::metadata_read)},
    {"funder", bit(Scope::settlements_read) | bit(Scope::settlements_confirm) | bit(Scope::settlements_cancel) |
                   bit(Scope::metadata_read)},
    {"reviewer", kRead | bit(Scope::tasks_decide)},
    {"reconciler", kRead | bit(Scope::deposits_write)},
    {"auditor", kRead | bit(Scope::rules_read) | bit(Scope::audit_read)},
    {"admin", kAll},
}};

constexpr std::size_t kLongestRoleName = 40;

bool is_role_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestRoleName &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string_view::npos;
}

}  // namespace

ScopeSet ScopeSet::all() {
  return ScopeSet(kAll);
}

std::optional<ScopeSet> ScopeSet::parse(std::string_view text) {
  std::uint64_t bits = 0;
  while (!text.empty()) {
    const auto end = text.find(' ');
    const auto word = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (word.empty()) continue;
    bool known = false;
    for (const auto& [scope, name] : kScopes)
      if (name == word) {
        bits |= bit(scope);
        known = true;
      }
    if (!known) return std::nullopt;
  }
  return ScopeSet(bits);
}

std::string ScopeSet::text() const {
  std::string joined;
  for (const auto& [scope, name] : kScopes) {
    if (!has(scope)) continue;
    if (!joined.empty()) joined += ' ';
    joined += name;
  }
  return joined;
}

std::string_view name_of(Scope scope) {
  for (const auto& [known, name] : kScopes)
    if (known == scope) return name;
  return "";
}

std::optional<std::string> Roles::fault_of(const Configured& configured) {
  std::string faults;
  const auto add = [&](const std::string& fault) { faults += (faults.empty() ? "" : "; ") + fault; };
  for (const auto& [name, text] : configured) {
    if (!is_role_name(name))
      add('\'' + name + "' is not a name of 1 to 40 lower-case letters, digits, '-' and '_'");
    else if (const auto scopes = ScopeSet::parse(text); !scopes)
      add(name + " has an unknown scope; the scopes are " + ScopeSet::all().text());
    else if (scopes->empty())
      add(name + " has no scopes");
  }
  return faults.empty() ? std::nullopt : std::optional(faults);
}

Roles::Roles(const Configured& configured) {
  for (const auto& [name, bits] : kRoles) roles_.push_back({std::string(name), ScopeSet::from_bits(bits)});
  for (const auto& [name, text] : configured) {
    const auto scopes = ScopeSet::parse(text).value_or(ScopeSet());
    const auto known =
        std::find_if(roles_.begin(), roles_.end(), [&name = name](const Role& role) { return role.name == name; });
    if (known == roles_.end())
      roles_.push_back({name, scopes});
    else
      known->scopes = scopes;
  }
}

std::optional<ScopeSet> Roles::find(std::string_view name) const {
  for (const auto& role : roles_)
    if (role.name == name) return role.scopes;
  return std::nullopt;
}

std::string Roles::names() const {
  std::string joined;
  for (const auto& role : roles_) joined += (joined.empty() ? "" : ", ") + role.name;
  return joined;
}

}  // namespace tideover::domain
