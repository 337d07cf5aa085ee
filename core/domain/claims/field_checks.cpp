#include "core/domain/claims/field_checks.hpp"

#include <algorithm>

#include "core/domain/basics/text.hpp"
#include "core/domain/claims/npi.hpp"

namespace tideover::domain {

std::string without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return std::string(text);
}

std::string upper_case(std::string_view text) {
  std::string raised(text);
  for (char& c : raised)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return raised;
}

bool is_one_of(std::string_view text, std::string_view characters) {
  return text.size() == 1 && has_only(text, characters);
}

bool has_only(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

InputText filled(const InputText& value) {
  if (!value) return std::nullopt;
  auto kept = without_blanks(*value);
  return kept.empty() ? std::nullopt : std::optional(std::move(kept));
}

std::vector<std::string> words_of(const InputText& text) {
  constexpr std::string_view kBetween = ",;: ";
  std::vector<std::string> words;
  const std::string_view list = text ? std::string_view(*text) : std::string_view{};
  for (std::size_t from = list.find_first_not_of(kBetween); from != std::string_view::npos;) {
    const auto end = std::min(list.find_first_of(kBetween, from), list.size());
    words.emplace_back(list.substr(from, end - from));
    from = list.find_first_not_of(kBetween, end);
  }
  return words;
}

bool FieldChecks::has_fault(std::string_view path) const {
  return std::any_of(faults_.begin(), faults_.end(), [&](const FieldFault& f) { return f.path == path; });
}

bool FieldChecks::required_and_absent(const std::string& path, const InputText& value, bool required) {
  if (value && !(required && without_blanks(*value).empty())) return false;
  if (required) require(path);
  return true;
}

void FieldChecks::require(const std::string& path) {
  if (!has_fault(path)) fault(path, "required");
}

std::string FieldChecks::text(const std::string& path, const InputText& value, std::size_t max, bool required) {
  if (required_and_absent(path, value, required)) return {};
  std::string kept = without_blanks(*value);
  if (!is_printable(kept) || count_characters(kept) > max)
    fault(path, "must be 1 to " + std::to_string(max) + " printable characters");
  return kept;
}

std::string FieldChecks::npi(const std::string& path, const InputText& value, bool required) {
  if (required_and_absent(path, value, required)) return {};
  std::string kept = without_blanks(*value);
  if (!has_npi_format(kept) && !(kept.empty() && !required)) fault(path, "must be exactly 10 digits");
  return kept;
}

std::optional<Money> FieldChecks::money(const std::string& path, const InputText& value, bool required) {
  if (required_and_absent(path, value, required)) return std::nullopt;
  const auto amount = parse_money(*value);
  if (!amount || *amount < Money{}) {
    fault(path, "must be a number from 0 to 99999999.99 with at most 2 decimals");
    return std::nullopt;
  }
  return amount;
}

void FieldChecks::currency(const std::string& path, const InputText& value) {
  if (const auto code = filled(value); code && upper_case(*code) != kCurrency) fault(path, std::string(kOtherCurrency));
}

std::optional<Date> FieldChecks::date(const std::string& path, const InputText& value) {
  const auto given = filled(value);
  if (!given) return std::nullopt;
  const auto parsed = parse_date(*given);
  if (!parsed) fault(path, "must be a calendar date written YYYY-MM-DD");
  return parsed;
}

std::optional<Date> FieldChecks::past_date(const std::string& path, const InputText& value) {
  const auto day = date(path, value);
  if (day && *day > today_.plus(1)) fault(path, "must not be later than tomorrow");
  return day;
}

std::optional<bool> FieldChecks::yes_or_no(const std::string& path, const InputText& value) {
  const auto kept = filled(value);
  if (!kept) return std::nullopt;
  const auto word = upper_case(*kept);
  const bool is_yes = word == "TRUE" || word == "Y";
  if (!is_yes && word != "FALSE" && word != "N") fault(path, "must be true or false");
  return is_yes;
}

std::string FieldChecks::code(const std::string& path, const InputText& value, std::size_t least, std::size_t most,
                              std::string_view characters, const std::string& wanted) {
  const auto kept = filled(value);
  if (!kept) return {};
  auto read = upper_case(*kept);
  if (read.size() < least || read.size() > most || !has_only(read, characters)) fault(path, "must be " + wanted);
  return read;
}

}  // namespace tideover::domain
