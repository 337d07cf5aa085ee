// Ids and originators under which payers of no directory send their remittances, with the evidence for each.
//
// Threads: pure functions.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"

namespace tideover::domain {

/// Where a remittance names its payer: an id (REF*2U, N104, payer_id), or the originator of its trace (TRN03).
enum class AliasKind { id, originator };
inline constexpr std::array<std::string_view, 2> kAliasKindNames{"id", "originator"};
inline std::string_view name_of(AliasKind kind) {
  return kAliasKindNames[static_cast<std::size_t>(kind)];
}
inline std::optional<AliasKind> alias_kind_named(std::string_view name) {
  for (std::size_t i = 0; i < kAliasKindNames.size(); ++i)
    if (kAliasKindNames[i] == name) return static_cast<AliasKind>(i);
  return std::nullopt;
}

struct PayerAlias {
  PayerAliasId id;
  AliasKind kind = AliasKind::id;
  std::string alias;  // in upper case
  std::string payer_id;
  RemittanceId remittance;  // the evidence: all its claims are certain and of this payer
  Timestamp learned_at;
  std::optional<Timestamp> removed_at;  // names no payer any more and is not learned again
};

/// Directories compare ids without case; aliases do so as well.
inline std::string alias_form(std::string_view text) {
  std::string form(text);
  for (char& c : form)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return form;
}

}  // namespace tideover::domain
