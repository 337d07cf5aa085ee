// Ranking of one payer against a search text. Pure functions, thread-safe. README.md describes the rules.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tideover/payer_directory.hpp"
#include "words.hpp"

namespace payer_file {

/// The searchable texts of one payer, made once at load.
struct SearchEntry {
  struct Identifier {
    std::string system;
    std::string text;  // folded
  };
  struct Name {
    const char* field;               // value in `fields` of a match
    std::string joined;              // without blanks, for whole names and beginnings
    std::vector<std::size_t> ends;   // of the words in `joined`
    std::vector<std::string> words;  // sorted, for names in another order
  };
  struct Word {
    std::string text;
    const char* field;
    bool is_name;    // from a name or alias, not from states, programs or coverage
    bool is_common;  // counts only if it is equal
  };
  std::vector<Identifier> identifiers;  // payer_id under "internal", EINs under "ein", then the crosswalk
  std::vector<Identifier> aliases;      // folded, system "internal"
  std::vector<Name> names;
  std::vector<Word> words;
  bool is_national = false;
  std::size_t position = 0;  // in the file; breaks ties
};

SearchEntry make_entry(const tideover::sdk::Payer& payer, std::size_t position);

/// A search text, prepared once for all payers.
struct SearchText {
  /// `system`: "any", or the namespace whose identifiers count. A payer without an identifier there does not match.
  SearchText(std::string_view text, std::string_view system);

  struct Word {
    std::string text;
    bool is_common, is_state;
  };
  std::string folded;
  std::string_view system;
  std::vector<Word> words;
  std::vector<std::string> sorted;  // all words, as names keep them
  std::string joined;
  bool is_telling = false;  // has a word that tells payers apart
};

/// How a text may match. A weaker kind is asked only if no payer matches by a stronger one.
enum class MatchKind { as_written, misspelled, partial };

struct Score {
  int bps = 0;  // 0 = no match
  std::vector<std::string> fields;
};

Score score(const SearchEntry& entry, const SearchText& text, MatchKind kind);

}  // namespace payer_file
