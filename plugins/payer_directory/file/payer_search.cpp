#include "payer_search.hpp"

#include <algorithm>

namespace payer_file {
namespace {

constexpr int kExact = 10'000;
constexpr int kAlias = 9'500;
constexpr int kWholeName = 9'200;
constexpr int kPrefix = 8'500;
constexpr int kAllWords = 7'500;
constexpr int kSpelling = 5'000;
constexpr int kPartial = 4'000;  // scaled by the share of words that were found
constexpr int kLowest = 1'000;

// Deductions for each word of the text that fits less well.
constexpr int kBeginningOfWord = 100;
constexpr int kNotInName = 300;
constexpr int kCommonNotFound = 300;
constexpr int kNational = 600;
constexpr int kEdit = 300;

constexpr std::size_t kShortestBeginning = 3;

struct Found {
  bool found = false;
  bool is_brand = false;  // a word of the name that is neither a state nor a program
  bool only_national = false;
  int deduction = 0;
  const char* field = nullptr;
};

void add_field(Score& score, const std::string& field) {
  if (std::find(score.fields.begin(), score.fields.end(), field) == score.fields.end()) score.fields.push_back(field);
}

void take(Score& score, int bps, const std::string& field) {
  score.bps = std::max(score.bps, bps);
  add_field(score, field);
}

/// What it costs to take `word` for `token`, or a negative number if it is another word.
int deduction(const SearchEntry::Word& word, const SearchText::Word& token, bool may_be_misspelled) {
  const int place = word.is_name ? 0 : kNotInName;
  if (word.text == token.text) return place;
  if (word.is_common || token.is_common) return -1;
  if (token.text.size() >= kShortestBeginning && word.text.compare(0, token.text.size(), token.text) == 0)
    return place + kBeginningOfWord;
  if (!may_be_misspelled) return -1;
  const int edits = edits_between(token.text, word.text);
  return edits < 0 ? -1 : place + edits * kEdit;
}

Found find_word(const SearchEntry& entry, const SearchText::Word& token, bool may_be_misspelled) {
  Found best;
  bool is_program = false;
  for (const auto& word : entry.words) {
    const int cost = deduction(word, token, may_be_misspelled);
    if (cost < 0) continue;
    is_program |= !word.is_name;
    if (!best.found || cost < best.deduction) best = {true, word.is_name, false, cost, word.field};
  }
  best.is_brand = best.is_brand && !is_program && !token.is_state;
  if (!best.found && entry.is_national && token.is_state) return {true, false, true, kNational, "states"};
  return best;
}

/// All words that tell payers apart must be found, and one of them by more than that the payer is national.
Score score_words(const SearchEntry& entry, const SearchText& text, MatchKind kind) {
  Score result;
  int cost = 0;
  std::size_t telling = 0, found = 0;
  bool fits = false, has_brand = false;
  for (const auto& token : text.words) {
    const Found word = find_word(entry, token, kind == MatchKind::misspelled);
    if (!token.is_common) ++telling;
    if (word.found) {
      if (!token.is_common) ++found;
      cost += word.deduction;
      fits |= !token.is_common && !word.only_national;
      has_brand |= !token.is_common && word.is_brand;
      add_field(result, word.field);
    } else if (token.is_common) {
      cost += kCommonNotFound;
    } else if (kind != MatchKind::partial) {
      return {};
    }
  }
  if (!fits) return {};
  if (kind == MatchKind::partial) {
    if (!has_brand || found * 2 < telling) return {};
    result.bps = static_cast<int>(kPartial * found / telling);
  } else {
    result.bps = std::max(kLowest, (kind == MatchKind::misspelled ? kSpelling : kAllWords) - cost);
  }
  return result;
}

bool begins_with(const SearchEntry::Name& name, const SearchText& text) {
  if (!text.is_telling || name.joined.compare(0, text.joined.size(), text.joined) != 0) return false;
  // "medicare pa" means Pennsylvania, not the beginning of "Medicare Part B".
  return !text.words.back().is_state ||
         std::find(name.ends.begin(), name.ends.end(), text.joined.size()) != name.ends.end();
}

Score score_as_written(const SearchEntry& entry, const SearchText& text) {
  Score result;
  for (const auto& id : entry.identifiers)
    if ((text.system == "any" || id.system == text.system) && id.text == text.folded)
      take(result, kExact,
           id.system == "internal" ? "payer_id"
           : id.system == "ein"    ? "ein"
                                   : "identifiers." + id.system);
  for (const auto& alias : entry.aliases)
    if (alias.text == text.folded) take(result, kAlias, "aliases");
  if (text.joined.empty()) return result;
  for (const auto& name : entry.names) {
    if (name.joined == text.joined || name.words == text.sorted)
      take(result, kWholeName, name.field);
    else if (begins_with(name, text))
      take(result, kPrefix, name.field);
  }
  return result.bps > 0 ? result : score_words(entry, text, MatchKind::as_written);
}

Score score_misspelled(const SearchEntry& entry, const SearchText& text) {
  Score result = score_words(entry, text, MatchKind::misspelled);
  for (const auto& name : entry.names) {
    const int edits = edits_between(text.joined, name.joined);
    if (edits >= 0) take(result, kSpelling - edits * kEdit, name.field);
  }
  return result;
}

void add_words(SearchEntry& entry, const std::vector<std::string>& words, const char* field, bool is_name) {
  for (const auto& word : words) {
    const bool known = std::any_of(entry.words.begin(), entry.words.end(), [&](const auto& other) {
      return other.text == word && (other.is_name || !is_name);
    });
    if (!known) entry.words.push_back({word, field, is_name, is_common_word(word)});
  }
}

void add_name(SearchEntry& entry, const char* field, std::string_view text) {
  auto words = words_of(text);
  add_words(entry, words, field, true);
  std::vector<std::size_t> ends;
  for (const auto& word : words) ends.push_back((ends.empty() ? 0 : ends.back()) + word.size());
  std::string name = joined(words);
  std::sort(words.begin(), words.end());
  entry.names.push_back({field, std::move(name), std::move(ends), std::move(words)});
}

/// "bcbs" finds every plan of the Blue Cross Blue Shield Association, also those that carry one half of the name.
void add_blue_plan(SearchEntry& entry) {
  const auto has = [&](std::string_view text) {
    return std::any_of(entry.words.begin(), entry.words.end(), [&](const auto& word) { return word.text == text; });
  };
  if (has("blue") && (has("cross") || has("shield"))) add_words(entry, {"bcbs"}, "name", true);
}

/// The full name of the association is the same search as its abbreviation.
std::vector<std::string> with_bcbs(std::vector<std::string> words) {
  static const std::vector<std::string> name{"blue", "cross", "blue", "shield"};
  const auto at = std::search(words.begin(), words.end(), name.begin(), name.end());
  if (at == words.end()) return words;
  *at = "bcbs";
  words.erase(at + 1, at + static_cast<std::ptrdiff_t>(name.size()));
  return words;
}

}  // namespace

SearchEntry make_entry(const tideover::sdk::Payer& payer, std::size_t position) {
  SearchEntry entry;
  entry.position = position;
  entry.identifiers.push_back({"internal", fold(payer.payer_id)});
  for (const auto& ein : payer.ein) entry.identifiers.push_back({"ein", fold(ein)});
  for (const auto& [system, id] : payer.identifiers) entry.identifiers.push_back({system, fold(id)});
  add_name(entry, "name", payer.name);
  add_name(entry, "short_name", payer.short_name);
  for (const auto& alias : payer.aliases) {
    entry.aliases.push_back({"internal", fold(alias)});
    add_name(entry, "aliases", alias);
  }
  add_name(entry, "payer_id", payer.payer_id);
  add_blue_plan(entry);
  for (const auto& state : payer.states) {
    entry.is_national |= state == "NATIONAL";
    auto words = words_of_state(state);
    if (!words.empty()) words.push_back(words_of(state).front());
    add_words(entry, words, "states", false);
  }
  for (const auto& program : payer.programs) add_words(entry, words_of(program), "programs", false);
  for (const auto& coverage : payer.coverage_types) add_words(entry, words_of(coverage), "coverage_types", false);
  return entry;
}

SearchText::SearchText(std::string_view text, std::string_view in_system) : folded(fold(text)), system(in_system) {
  sorted = words_of(text);
  joined = payer_file::joined(sorted);
  for (auto& word : with_bcbs(sorted)) {
    words.push_back({word, is_common_word(word), is_state_word(word)});
    is_telling |= !words.back().is_common;
  }
  std::sort(sorted.begin(), sorted.end());
}

Score score(const SearchEntry& entry, const SearchText& text, MatchKind kind) {
  const bool counts = std::any_of(entry.identifiers.begin(), entry.identifiers.end(),
                                  [&](const auto& id) { return text.system == "any" || id.system == text.system; });
  if (!counts) return {};
  switch (kind) {
    case MatchKind::as_written:
      return score_as_written(entry, text);
    case MatchKind::misspelled:
      return score_misspelled(entry, text);
    case MatchKind::partial:
      return score_words(entry, text, MatchKind::partial);
  }
  return {};
}

}  // namespace payer_file
