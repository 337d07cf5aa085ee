#include "core/domain/claims/payer_highlights.hpp"

#include <algorithm>

#include "core/domain/basics/text.hpp"

namespace tideover::domain {
namespace {

constexpr std::string_view kIdentifiers = "identifiers.";

/// Bytes outside of ASCII are parts of words.
bool is_of_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         (static_cast<unsigned char>(c) & 0x80);
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool begins_with(std::string_view word, std::string_view beginning) {
  return word.size() >= beginning.size() && std::equal(beginning.begin(), beginning.end(), word.begin(),
                                                       [](char a, char b) { return lower(a) == lower(b); });
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (auto from = text.begin(); from != text.end();) {
    from = std::find_if(from, text.end(), is_of_word);
    const auto end = std::find_if_not(from, text.end(), is_of_word);
    if (from != end) words.emplace_back(from, end);
    from = end;
  }
  return words;
}

std::vector<std::string> values_of(const Payer& payer, std::string_view field) {
  if (field == "payer_id") return {payer.payer_id};
  if (field == "name") return {payer.name};
  if (field == "short_name") return {payer.short_name};
  if (field == "aliases") return payer.aliases;
  if (field == "ein") return payer.ein;
  if (field == "coverage_types") return payer.coverage_types;
  if (field == "programs") return payer.programs;
  if (field == "states") return payer.states;
  std::vector<std::string> values;
  for (const auto& [system, id] : payer.identifiers)
    if (field.starts_with(kIdentifiers) && field.substr(kIdentifiers.size()) == system) values.push_back(id);
  return values;
}

}  // namespace

std::vector<PayerHighlight> highlights_of(const PayerMatch& match, std::string_view query) {
  const auto wanted = words_of(query);
  std::vector<PayerHighlight> found;
  for (const auto& field : match.fields) {
    for (auto& value : values_of(match.payer, field)) {
      PayerHighlight highlight{field, std::move(value), {}};
      for (const auto word : words_of(highlight.text)) {
        std::string_view longest;
        for (const auto beginning : wanted)
          if (beginning.size() > longest.size() && begins_with(word, beginning))
            longest = word.substr(0, beginning.size());
        if (longest.empty()) continue;
        const auto before = static_cast<std::size_t>(word.data() - highlight.text.data());
        highlight.parts.push_back(
            {count_characters(std::string_view(highlight.text).substr(0, before)), count_characters(longest)});
      }
      if (!highlight.parts.empty()) found.push_back(std::move(highlight));
    }
  }
  return found;
}

}  // namespace tideover::domain
