// Ranking of one payer against a search text: exact identifier > alias > prefix > token > spelling (trigrams, or an
// edit distance of at most two).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tideover/payer_directory.hpp"

namespace payer_file {

/// ASCII upper case without surrounding blanks: the form in which identifiers compare.
std::string fold(std::string_view text);
/// Lower-case words: letters and digits are kept, punctuation is removed, other characters become one blank. Non-ASCII
/// bytes are kept, so that accented names still match themselves.
std::string normalize(std::string_view text);

/// The searchable texts of one payer, made once at load.
struct SearchEntry {
  struct Name {
    const char* field;  // value in `fields` of a match
    std::string text;   // normalized
  };
  struct Identifier {
    std::string system;
    std::string text;  // folded
  };
  std::vector<Identifier> identifiers;  // payer_id under "internal", EINs under "ein", then the crosswalk
  std::vector<Identifier> aliases;      // folded, system "internal"
  std::vector<Name> names;
};

SearchEntry make_entry(const tideover::sdk::Payer& payer);

struct Score {
  int bps = 0;  // 0 = no match
  std::vector<std::string> fields;
};

/// `system`: "any", or the namespace whose identifiers count. A payer without an identifier there does not match.
Score score(const SearchEntry& entry, std::string_view text, std::string_view system);

}  // namespace payer_file
