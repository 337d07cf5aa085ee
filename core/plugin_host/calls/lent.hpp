// Copies and validates the values that a plugin lends. nullopt = invalid.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/plugin/tideover/plugin.h"
#include "core/domain/basics/date.hpp"
#include "core/domain/basics/money.hpp"

namespace tideover::plugin_host {

inline constexpr std::size_t kLongestText = 4096;
inline constexpr std::size_t kLongestList = 20'000;

/// Valid UTF-8 without NUL, at most `longest` bytes.
std::optional<std::string> take_text(tideover_str lent, std::size_t longest = kLongestText);
/// The same without control characters: for ids, names, codes and references.
std::optional<std::string> take_label(tideover_str lent, std::size_t longest = kLongestText);
std::optional<std::vector<std::string>> take_labels(tideover_str_list lent);
std::optional<std::vector<std::pair<std::string, std::string>>> take_label_pairs(tideover_pair_list lent);
/// Text of a plugin for operators and clients: shortened to `longest` bytes instead of refused, without control
/// characters and invalid bytes.
std::string take_message(tideover_str lent, std::size_t longest = kLongestText);
std::optional<std::vector<std::string>> take_list(tideover_str_list lent);
std::optional<std::vector<std::pair<std::string, std::string>>> take_pairs(tideover_pair_list lent,
                                                                           std::size_t longest = kLongestText);
/// Within the limits of the service, positive and negative.
std::optional<domain::Money> take_money(std::int64_t cents);
/// A valid date; all zero is `none`.
struct TakenDate {
  std::optional<domain::Date> date;
};
std::optional<TakenDate> take_date(tideover_date lent);

inline tideover_str lend(std::string_view text) {
  return {text.data(), text.size()};
}
tideover_date lend(domain::Date date);
/// An instant in the years allowed for dates: 1900 to 2199.
std::optional<domain::Timestamp> take_instant(std::int64_t utc_ms);

/// X12 writes an EIN as "1" and nine digits when it names an originator (TRN03); most company ids of ACH entries do so
/// too.
std::optional<std::string> ein_of(const std::string& originator_id);

}  // namespace tideover::plugin_host
