#include "payer_search.hpp"

#include <algorithm>
#include <set>

namespace payer_file {
namespace {

constexpr int kExact = 10'000;
constexpr int kAlias = 9'500;
constexpr int kWholeName = 9'200;
constexpr int kPrefix = 8'500;
constexpr int kAllTokens = 7'500;
constexpr int kSomeTokens = 5'500;  // scaled by the share of tokens found
constexpr int kSpelling = 5'000;    // scaled by similarity
constexpr std::size_t kLongestTypo = 40;

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

std::vector<std::string> words_of(const std::string& normalized) {
  std::vector<std::string> words;
  std::size_t from = 0;
  while (from < normalized.size()) {
    const std::size_t to = std::min(normalized.find(' ', from), normalized.size());
    if (to > from) words.push_back(normalized.substr(from, to - from));
    from = to + 1;
  }
  return words;
}

/// Levenshtein distance, or 3 as soon as it exceeds two.
int edit_distance(const std::string& a, const std::string& b) {
  constexpr int kTooFar = 3;
  if (a.size() > kLongestTypo || b.size() > kLongestTypo) return kTooFar;
  const auto gap = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (gap >= kTooFar) return kTooFar;
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return std::min(row[b.size()], kTooFar);
}

/// Shared trigrams over all trigrams, in basis points.
int trigram_similarity_bps(const std::string& a, const std::string& b) {
  const auto trigrams = [](const std::string& text) {
    std::set<std::string> found;
    for (std::size_t i = 0; i + 3 <= text.size(); ++i) found.insert(text.substr(i, 3));
    return found;
  };
  const auto left = trigrams(a), right = trigrams(b);
  if (left.empty() || right.empty()) return 0;
  std::size_t shared = 0;
  for (const auto& trigram : left) shared += right.count(trigram);
  return static_cast<int>(shared * kExact / (left.size() + right.size() - shared));
}

/// The score of a name for the search text, by its best kind of match.
int score_name(const std::string& name, const std::string& text, const std::vector<std::string>& tokens) {
  if (name == text) return kWholeName;
  if (name.compare(0, text.size(), text) == 0) return kPrefix;
  const auto words = words_of(name);
  std::size_t found = 0;
  int typos = 0;
  for (const auto& token : tokens) {
    int best = 3;
    for (const auto& word : words) {
      if (word.compare(0, token.size(), token) == 0) best = 0;
      // A short word is one typo away from very many words.
      if (best > 0 && token.size() >= 4) best = std::min(best, edit_distance(token, word));
    }
    if (best == 0) ++found;
    if (best == 1 || best == 2) typos += 1;
  }
  if (found == tokens.size()) return kAllTokens;
  if (found + static_cast<std::size_t>(typos) == tokens.size()) return kSpelling - 200 * typos;
  const int similar = trigram_similarity_bps(name, text);
  int score = similar >= 3'000 ? kSpelling * similar / kExact : 0;
  if (found > 0) score = std::max(score, static_cast<int>(kSomeTokens * found / tokens.size()) / 2);
  return score;
}

}  // namespace

std::string fold(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  std::string folded(text);
  for (char& c : folded)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return folded;
}

std::string normalize(std::string_view text) {
  std::string normal;
  for (const char c : text) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool kept =
        upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
    if (kept) {
      normal += upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if ((is_blank(c) || c == '-' || c == '/' || c == '&' || c == ',') && !normal.empty() &&
               normal.back() != ' ') {
      normal += ' ';
    }
  }
  while (!normal.empty() && normal.back() == ' ') normal.pop_back();
  return normal;
}

SearchEntry make_entry(const tideover::sdk::Payer& payer) {
  SearchEntry entry;
  entry.identifiers.push_back({"internal", fold(payer.payer_id)});
  for (const auto& ein : payer.ein) entry.identifiers.push_back({"ein", fold(ein)});
  for (const auto& [system, id] : payer.identifiers) entry.identifiers.push_back({system, fold(id)});
  for (const auto& alias : payer.aliases) {
    entry.aliases.push_back({"internal", fold(alias)});
    entry.names.push_back({"aliases", normalize(alias)});
  }
  entry.names.push_back({"payer_id", normalize(payer.payer_id)});
  entry.names.push_back({"name", normalize(payer.name)});
  entry.names.push_back({"short_name", normalize(payer.short_name)});
  return entry;
}

Score score(const SearchEntry& entry, std::string_view text, std::string_view system) {
  const auto counts = [&](const SearchEntry::Identifier& id) { return system == "any" || id.system == system; };
  if (std::none_of(entry.identifiers.begin(), entry.identifiers.end(), counts)) return {};

  Score result;
  const auto take = [&](int bps, const std::string& field) {
    if (bps == 0) return;
    result.bps = std::max(result.bps, bps);
    if (std::find(result.fields.begin(), result.fields.end(), field) == result.fields.end())
      result.fields.push_back(field);
  };
  const std::string folded = fold(text);
  for (const auto& id : entry.identifiers)
    if (counts(id) && id.text == folded)
      take(kExact, id.system == "internal" ? "payer_id" : id.system == "ein" ? "ein" : "identifiers." + id.system);
  for (const auto& alias : entry.aliases)
    if (alias.text == folded) take(kAlias, "aliases");

  const std::string normal = normalize(text);
  if (normal.empty()) return result;
  const auto tokens = words_of(normal);
  for (const auto& name : entry.names) take(score_name(name.text, normal, tokens), name.field);
  return result;
}

}  // namespace payer_file
