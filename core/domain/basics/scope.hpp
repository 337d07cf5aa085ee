// The permissions of a client. Scopes are bits, so that an access token can carry them. Roles are named sets of scopes
// (core/docs/contract.md#access).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tideover::domain {

enum class Scope : std::uint64_t {
  claims_read = 1u << 0,
  claims_write = 1u << 1,
  reviews_write = 1u << 2,
  adjudications_write = 1u << 3,
  settlements_read = 1u << 4,
  settlements_confirm = 1u << 5,
  settlements_cancel = 1u << 6,
  reconciliation_read = 1u << 7,
  deposits_write = 1u << 8,
  imports_read = 1u << 9,
  imports_write = 1u << 10,
  metadata_read = 1u << 11,
  webhooks_manage = 1u << 12,
  events_read = 1u << 13,
  tasks_read = 1u << 14,
  tasks_decide = 1u << 15,
  rules_read = 1u << 16,
  rules_write = 1u << 17,
  audit_read = 1u << 18,
  admin = 1u << 19,
};

class ScopeSet {
 public:
  constexpr ScopeSet() = default;
  static constexpr ScopeSet from_bits(std::uint64_t bits) { return ScopeSet(bits); }
  static ScopeSet all();
  /// Blank-separated scope names (RFC 6749 section 3.3); nullopt when one is unknown.
  static std::optional<ScopeSet> parse(std::string_view text);

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr bool has(Scope scope) const { return (bits_ & static_cast<std::uint64_t>(scope)) != 0; }
  constexpr bool contains(ScopeSet other) const { return (bits_ & other.bits_) == other.bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  std::string text() const;

 private:
  explicit constexpr ScopeSet(std::uint64_t bits) : bits_(bits) {}
  std::uint64_t bits_ = 0;
};

std::string_view name_of(Scope scope);

/// The shipped roles integrator, submitter, funder, reviewer, reconciler, auditor and admin, and those of the setting
/// `roles`, which may give a shipped one other scopes.
class Roles {
 public:
  using Configured = std::map<std::string, std::string>;  // of names to blank-separated scopes
  struct Role {
    std::string name;
    ScopeSet scopes;
  };

  /// What is not valid; nullopt: nothing.
  static std::optional<std::string> fault_of(const Configured& configured);
  /// `configured` has no fault.
  explicit Roles(const Configured& configured = {});

  std::optional<ScopeSet> find(std::string_view name) const;
  /// The shipped ones first.
  const std::vector<Role>& all() const { return roles_; }
  std::string names() const;

 private:
  std::vector<Role> roles_;
};

}  // namespace tideover::domain
