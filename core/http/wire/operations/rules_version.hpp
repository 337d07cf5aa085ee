// The rule bundle of a stored answer, which the header Rules-Version repeats (core/docs/contract.md#rule-releases).
#pragma once
#include <string>
#include <string_view>

namespace tideover::wire {

/// The bundle that the stored JSON of a review or an adjudication names. A stored answer is its body only, so that the
/// version is read from it. "" when the body names none.
std::string rules_version_of(std::string_view stored_body);

}  // namespace tideover::wire
