// The rule bundle of an answer, which the header Rules-Version repeats (core/docs/contract.md#rule-releases).
#pragma once
#include <string_view>

namespace tideover::wire {

/// The first `rules_version` of a body that this service wrote without blanks; "" when it has none. Text of a client
/// cannot be mistaken for it, because quotes within a text are escaped.
inline std::string_view rules_version_in(std::string_view body) {
  constexpr std::string_view kMember = "\"rules_version\":\"";
  const auto at = body.find(kMember);
  if (at == std::string_view::npos) return {};
  const auto rest = body.substr(at + kMember.size());
  return rest.substr(0, rest.find('"'));
}

}  // namespace tideover::wire
