// The value of the header Rules-Version: the rules that made a response (core/docs/contract.md#rule-releases). Pure
// functions.
#pragma once
#include <string_view>

namespace tideover::wire {

/// The first `rules_version` of a body that this service wrote, compactly; "" if it has none. Text of a client cannot
/// be mistaken for it, because quotes inside a string are escaped.
inline std::string_view rules_version_in(std::string_view body) {
  constexpr std::string_view kMember = "\"rules_version\":\"";
  const auto at = body.find(kMember);
  if (at == std::string_view::npos) return {};
  const auto rest = body.substr(at + kMember.size());
  return rest.substr(0, rest.find('"'));
}

}  // namespace tideover::wire
