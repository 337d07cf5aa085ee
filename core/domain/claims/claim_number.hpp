// Numbers as payers, banks and spreadsheets give them back: in another case, without leading zeros or separators, with
// blanks, with `?` for bytes that a file does not allow, with the letter O for the digit 0, or cut. Two numbers of one
// normal form may be one; equal bytes prove more.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tideover::domain {

/// Payers keep so many characters of a claim's number at least (X12 allows 20 in CLP01).
inline constexpr std::size_t kShortestCut = 17;

/// Letters and digits alone, in upper case, look-alikes as digits (O: 0; I, L: 1), without leading zeros. Empty where
/// nothing tells: "0", "--".
std::string normal_number(std::string_view number);

/// The normal forms under which a payer may give this claim number back: whole, or cut at kShortestCut characters or
/// more. Each once, none empty.
std::vector<std::string> normal_forms(std::string_view claim_identifier);

/// The same number but for its form, one the beginning or the end of the other (six characters or more), or the same
/// behind a prefix of letters
/// ("EFT-0005", "5"). False where one is empty.
bool are_traces_alike(std::string_view a, std::string_view b);
/// The first two of these.
bool are_numbers_alike(std::string_view a, std::string_view b);

}  // namespace tideover::domain
