// The words of payer names and of search texts, and what is known about them: states, abbreviations, words that say
// nothing about a payer. Pure functions, thread-safe.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace payer_file {

/// ASCII upper case without surrounding blanks: the form in which identifiers compare.
std::string fold(std::string_view text);

/// Lower-case words without "of", "the" and the like. Punctuation is removed, dashes and blanks divide words, and
/// abbreviations are written out ("mcd" -> "medicaid"). Non-ASCII bytes are kept, so that accented names still match
/// themselves.
std::vector<std::string> words_of(std::string_view text);

/// The words without blanks between them, so that "united health care" equals "UnitedHealthcare".
std::string joined(const std::vector<std::string>& words);

/// The words of a state's name, or none. `code` has two capital letters.
std::vector<std::string> words_of_state(std::string_view code);

/// A code ("ny") or a word of a name ("york") of a state.
bool is_state_word(std::string_view word);

/// True for words that many payers have in their names ("health", "plan"): they do not tell payers apart.
bool is_common_word(std::string_view word);

/// Insertions, deletions, replacements and exchanges of neighbours between two words, or -1 if they are more than
/// typing mistakes explain: none in words below four characters (a short word is one edit away from very many words),
/// one below seven, otherwise two.
int edits_between(std::string_view a, std::string_view b);

}  // namespace payer_file
