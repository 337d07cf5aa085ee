#include "core/domain/funding/sandbox.hpp"

#include <algorithm>

namespace tideover::domain {
namespace {

bool is_code(std::string_view text) {
  return !text.empty() && text.size() <= 4 &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); });
}

}  // namespace

std::optional<SandboxTrigger> sandbox_trigger(std::string_view payer_id) {
  std::string id(payer_id);
  // ASCII only: the locale must not decide which payer ids have an effect.
  std::transform(id.begin(), id.end(), id.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  SandboxTrigger trigger;
  if (id == "TEST-APPROVE") {
    trigger.decision = Decision::approved;
  } else if (id == "TEST-DECLINE") {
    trigger.decision = Decision::declined;
  } else if (id == "TEST-REVIEW") {
    trigger.decision = Decision::manual_review;
  } else if (id == "TEST-SLOW") {
    trigger.slow = true;
  } else if (constexpr std::string_view prefix = "TEST-CARC-";
             id.starts_with(prefix) && is_code(id.substr(prefix.size()))) {
    trigger.deny_with = id.substr(prefix.size());
  } else {
    return std::nullopt;
  }
  return trigger;
}

}  // namespace tideover::domain
