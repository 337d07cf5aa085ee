// Answers to a payment that no rail may give, one per number: through the bare C ABI, because the SDK would not let
// them out. None of them is a well-formed lie about this very payment; that cannot be detected.
#pragma once
#include <cstdint>
#include <string>

#include "api/plugin/tideover/plugin.h"

namespace tideover::fault {

inline constexpr int kMutations = 40;

/// Mutations from here on are well-formed, but speak of another key or amount.
inline constexpr int kFirstContradiction = 34;

tideover_status answer_wrongly(int mutation, const std::string& key, std::int64_t amount,
                               const tideover_outcome_sink* sink) noexcept;

}  // namespace tideover::fault
