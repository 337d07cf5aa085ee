// The mutants of the funding protocol (core/docs/reliability.md#proof): each breaks one of its rules, to prove that the
// kill sweep of tests/fault would see it broken. Chosen when compiling, -DTIDEOVER_MUTANT=\"fresh_key\", or several at
// once as in
// \"no_epoch+no_journal\" (a rule that two guards keep is broken only where both are gone); the product is built
// without.
#pragma once
#include <string_view>

namespace tideover::usecases::mutant {

#ifdef TIDEOVER_MUTANT
inline constexpr std::string_view kChosen = TIDEOVER_MUTANT;
#else
inline constexpr std::string_view kChosen;
#endif

/// For `if constexpr`: in the product every branch of a mutant is gone.
consteval bool is(std::string_view name) {
  for (std::string_view rest = kChosen; !rest.empty();) {
    const auto end = rest.find('+');
    if (rest.substr(0, end) == name) return true;
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return false;
}

}  // namespace tideover::usecases::mutant
