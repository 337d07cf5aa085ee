// Which deposit or payment a line of a bank statement is about. A line is settled only if exactly one candidate has its
// amount and one of its references, within the days around it.
//
// Threads: pure functions.
#pragma once
#include <string>
#include <vector>

#include "core/domain/banking/bank_statement.hpp"

namespace tideover::domain {

/// A bank and a payer may date the same money so many days apart.
inline constexpr int kClearingWindowDays = 7;
DateRange clearing_window(Date day);

/// What the records know under a reference of the line.
struct ClearingCandidate {
  enum class Kind { deposit, payment };
  Kind kind = Kind::deposit;
  std::string id;
  Money amount;
  bool is_settled = false;  // another line has it
};

/// References of the line to search for, without repeats: its own references, then the words of its text that have a
/// digit. At most 12.
struct SearchKey {
  std::string text;
  bool is_reference = false;  // false: a word of the text
};
std::vector<SearchKey> search_keys(const BankLine& line);

/// A candidate, and whether it was found by a reference of the line or by a word of its text.
struct FoundCandidate {
  ClearingCandidate candidate;
  bool by_reference = false;
};

/// Sets `deposit` or `payment` of the line, or its finding.
void settle_line(BankLine& line, const std::vector<FoundCandidate>& found);

/// What of two reports must agree for one line to be the same movement.
std::string movement_of(const BankLine& line);

/// Takes over what the lines of the earlier version were settled with. The first settled line that `lines` lack is
/// returned: the statement must not be replaced then.
std::optional<BankLine> carry_settlements(const std::vector<BankLine>& earlier, std::vector<BankLine>& lines);

}  // namespace tideover::domain
