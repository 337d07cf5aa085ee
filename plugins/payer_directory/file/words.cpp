#include "words.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace payer_file {
namespace {

constexpr std::size_t kLongestTypo = 40;

constexpr std::array<std::string_view, 7> kStopWords{"and", "by", "for", "inc", "llc", "of", "the"};

constexpr std::array<std::string_view, 26> kCommonWords{
    "administrators", "benefit", "benefits", "care",      "company",  "corporation", "epo",       "group",   "health",
    "healthcare",     "hmo",     "hospital", "insurance", "life",     "management",  "medical",   "network", "plan",
    "plans",          "pos",     "ppo",      "program",   "programs", "services",    "solutions", "state"};

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kAbbreviations{{{"bc", "bcbs"},
                                                                                       {"bluecross", "blue cross"},
                                                                                       {"blueshield", "blue shield"},
                                                                                       {"mcd", "medicaid"},
                                                                                       {"mcr", "medicare"},
                                                                                       {"medigap", "supplement"},
                                                                                       {"wc", "workers compensation"}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 53> kStates{{
    {"AK", "alaska"},       {"AL", "alabama"},        {"AR", "arkansas"},      {"AZ", "arizona"},
    {"CA", "california"},   {"CO", "colorado"},       {"CT", "connecticut"},   {"DC", "district columbia"},
    {"DE", "delaware"},     {"FL", "florida"},        {"GA", "georgia"},       {"HI", "hawaii"},
    {"IA", "iowa"},         {"ID", "idaho"},          {"IL", "illinois"},      {"IN", "indiana"},
    {"KS", "kansas"},       {"KY", "kentucky"},       {"LA", "louisiana"},     {"MA", "massachusetts"},
    {"MD", "maryland"},     {"ME", "maine"},          {"MI", "michigan"},      {"MN", "minnesota"},
    {"MO", "missouri"},     {"MS", "mississippi"},    {"MT", "montana"},       {"NC", "north carolina"},
    {"ND", "north dakota"}, {"NE", "nebraska"},       {"NH", "new hampshire"}, {"NJ", "new jersey"},
    {"NM", "new mexico"},   {"NV", "nevada"},         {"NY", "new york"},      {"OH", "ohio"},
    {"OK", "oklahoma"},     {"OR", "oregon"},         {"PA", "pennsylvania"},  {"PR", "puerto rico"},
    {"RI", "rhode island"}, {"SC", "south carolina"}, {"SD", "south dakota"},  {"TN", "tennessee"},
    {"TX", "texas"},        {"UT", "utah"},           {"VA", "virginia"},      {"VI", "virgin islands"},
    {"VT", "vermont"},      {"WA", "washington"},     {"WI", "wisconsin"},     {"WV", "west virginia"},
    {"WY", "wyoming"},
}};

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

std::vector<std::string> divided(std::string_view text) {
  std::vector<std::string> words;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t to = std::min(text.find(' ', from), text.size());
    if (to > from) words.emplace_back(text.substr(from, to - from));
    from = to + 1;
  }
  return words;
}

std::string normalize(std::string_view text) {
  std::string normal;
  for (const char c : text) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool kept =
        upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
    if (kept)
      normal += upper ? static_cast<char>(c - 'A' + 'a') : c;
    else if (is_blank(c) || c == '-' || c == '/' || c == '&' || c == ',' || c == '_')
      normal += ' ';
  }
  return normal;
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

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (auto& word : divided(normalize(text))) {
    if (std::find(kStopWords.begin(), kStopWords.end(), word) != kStopWords.end()) continue;
    const auto known = std::find_if(kAbbreviations.begin(), kAbbreviations.end(),
                                    [&](const auto& abbreviation) { return abbreviation.first == word; });
    if (known == kAbbreviations.end()) {
      words.push_back(std::move(word));
    } else {
      for (auto& part : divided(known->second)) words.push_back(std::move(part));
    }
  }
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += word;
  return text;
}

std::vector<std::string> words_of_state(std::string_view code) {
  for (const auto& [known, name] : kStates)
    if (known == code) return divided(name);
  return {};
}

bool is_state_word(std::string_view word) {
  const std::string code = word.size() == 2 ? fold(word) : std::string();
  return std::any_of(kStates.begin(), kStates.end(), [&](const auto& state) {
    if (state.first == code || state.second == word) return true;
    const std::size_t space = state.second.find(' ');
    return space != std::string_view::npos &&
           (state.second.substr(0, space) == word || state.second.substr(space + 1) == word);
  });
}

bool is_common_word(std::string_view word) {
  return std::find(kCommonWords.begin(), kCommonWords.end(), word) != kCommonWords.end();
}

int edits_between(std::string_view a, std::string_view b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  const std::size_t longer = std::max(a.size(), b.size());
  const int most = shorter < 4 ? 0 : shorter < 7 ? 1 : 2;
  if (most == 0 || longer > kLongestTypo || longer - shorter > static_cast<std::size_t>(most)) return -1;
  // Rows of the distance table: the one before the last, the last, the current.
  std::array<std::array<int, kLongestTypo + 1>, 3> rows;
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& last = rows[(i + 2) % 3];
    const auto& before = rows[(i + 1) % 3];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  const int edits = rows[a.size() % 3][b.size()];
  return edits <= most ? edits : -1;
}

}  // namespace payer_file
