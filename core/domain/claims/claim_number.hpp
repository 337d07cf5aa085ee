// Numbers as payers, banks and spreadsheets return them: in another case, without leading zeros or separators, with
// blanks, with `?` for bytes that a file does not allow, with the letter O for the digit 0, or truncated. Two numbers
// with one normal form may be the same number; equal bytes prove more.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tideover::domain {

/// Payers keep at least this many characters of a claim number (X12 allows 20 in CLP01).
inline constexpr std::size_t kShortestCut = 17;

/// Only letters and digits, in upper case, with look-alikes as digits (O: 0; I, L: 1), without leading zeros. Empty
/// when nothing is left: "0", "--".
std::string normal_number(std::string_view number);

/// A trace number in upper case, without blanks and leading zeros; "0" when only those are in it. Two trace numbers
/// agree when these forms are equal: banks pad and shorten them with zeros. Empty only for an empty number.
std::string normal_trace(std::string_view trace_number);

/// The normal forms in which a payer may return this claim number: whole, or truncated to kShortestCut characters or
/// more. Without duplicates or empty forms.
std::vector<std::string> normal_forms(std::string_view claim_identifier);

/// Whether a payer may return this claim number as `returned`: without separators and leading zeros, in another case,
/// or truncated to kShortestCut characters or more. Look-alikes are different characters here.
bool may_return_as(std::string_view claim_identifier, std::string_view returned);

/// Whether the numbers differ only in form, one is the start or end of the other (six characters or more), or they are
/// equal after a prefix of letters ("EFT-0005", "5"). False when one is empty.
bool are_traces_alike(std::string_view a, std::string_view b);
/// The first two of these.
bool are_numbers_alike(std::string_view a, std::string_view b);

}  // namespace tideover::domain
