#include "core/domain/claims/claim_number.hpp"

#include <algorithm>

namespace tideover::domain {
namespace {

/// A shorter number is too weak to count as a part of another one.
constexpr std::size_t kTelling = 6;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

char upper_of(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

char normal(char c) {
  const char upper = upper_of(c);
  return upper == 'O' ? '0' : upper == 'I' || upper == 'L' ? '1' : upper;
}

/// After a prefix of letters: banks add or drop "EFT" before a trace number.
std::string without_prefix(std::string_view number) {
  const auto first = std::find_if(number.begin(), number.end(), is_digit);
  return normal_number(number.substr(static_cast<std::size_t>(first - number.begin())));
}

/// Letters and digits, each as `form` gives it, without leading zeros.
std::string letters_and_digits(std::string_view number, char (*form)(char)) {
  std::string text;
  for (const char c : number) {
    if (!is_digit(c) && !is_letter(c)) continue;
    const char kept = form(c);
    if (kept != '0' || !text.empty()) text += kept;
  }
  return text;
}

}  // namespace

std::string normal_number(std::string_view number) {
  return letters_and_digits(number, normal);
}

bool may_return_as(std::string_view claim_identifier, std::string_view returned) {
  const auto form = letters_and_digits(returned, upper_of);
  if (form.empty()) return false;
  if (form == letters_and_digits(claim_identifier, upper_of)) return true;
  for (std::size_t length = kShortestCut; form.size() >= kTelling && length < claim_identifier.size(); ++length)
    if (form == letters_and_digits(claim_identifier.substr(0, length), upper_of)) return true;
  return false;
}

std::string normal_trace(std::string_view trace_number) {
  std::string text;
  for (const char c : trace_number)
    if (c != ' ' && (c != '0' || !text.empty())) text += upper_of(c);
  return text.empty() && !trace_number.empty() ? "0" : text;
}

std::vector<std::string> normal_forms(std::string_view claim_identifier) {
  std::vector<std::string> forms;
  const auto add = [&](std::string form) {
    if (!form.empty() && std::find(forms.begin(), forms.end(), form) == forms.end()) forms.push_back(std::move(form));
  };
  add(normal_number(claim_identifier));
  for (std::size_t length = kShortestCut; length < claim_identifier.size(); ++length)
    if (auto form = normal_number(claim_identifier.substr(0, length)); form.size() >= kTelling) add(std::move(form));
  return forms;
}

bool are_numbers_alike(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return false;
  auto longer = normal_number(a), shorter = normal_number(b);
  if (longer.size() < shorter.size()) std::swap(longer, shorter);
  return longer == shorter ||
         (shorter.size() >= kTelling && (longer.ends_with(shorter) || longer.starts_with(shorter)));
}

bool are_traces_alike(std::string_view a, std::string_view b) {
  if (are_numbers_alike(a, b)) return true;
  const auto core = without_prefix(a);
  return !core.empty() && core == without_prefix(b);
}

}  // namespace tideover::domain
