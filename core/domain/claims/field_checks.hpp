// Checks the texts of a claim one by one and collects the faults of all. A value with a fault is returned in some form,
// since the claim is refused.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/money.hpp"
#include "core/domain/basics/result.hpp"

namespace tideover::domain {

using InputText = std::optional<std::string>;

std::string without_blanks(std::string_view text);
std::string upper_case(std::string_view text);
/// Whether the text has one character, and it is one of these.
bool is_one_of(std::string_view text, std::string_view characters);
/// Whether the text has only these characters.
bool has_only(std::string_view text, std::string_view characters);
inline constexpr std::string_view kDigits = "0123456789";
inline constexpr std::string_view kDigitsAndLetters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/// The text without surrounding blanks, if there is any.
InputText filled(const InputText& value);
/// The codes of one cell, separated by commas, semicolons, colons or blanks.
std::vector<std::string> words_of(const InputText& text);

class FieldChecks {
 public:
  /// `known`: faults that the reader of the input found.
  FieldChecks(std::vector<FieldFault> known, Date today) : faults_(std::move(known)), today_(today) {}

  void fault(std::string path, std::string problem) { faults_.push_back({std::move(path), std::move(problem)}); }
  /// Unless the field has a fault already, such as a wrong type.
  void require(const std::string& path);
  std::vector<FieldFault>& faults() { return faults_; }

  std::string text(const std::string& path, const InputText& value, std::size_t max, bool required);
  std::string npi(const std::string& path, const InputText& value, bool required);
  std::optional<Money> money(const std::string& path, const InputText& value, bool required);
  void currency(const std::string& path, const InputText& value);
  std::optional<Date> date(const std::string& path, const InputText& value);
  /// A date that is at most tomorrow.
  std::optional<Date> past_date(const std::string& path, const InputText& value);
  std::optional<bool> yes_or_no(const std::string& path, const InputText& value);
  /// In upper case; `least` to `most` digits or letters.
  std::string code(const std::string& path, const InputText& value, std::size_t least, std::size_t most,
                   std::string_view characters, const std::string& wanted);

 private:
  bool has_fault(std::string_view path) const;
  bool required_and_absent(const std::string& path, const InputText& value, bool required);

  std::vector<FieldFault> faults_;
  const Date today_;
};

}  // namespace tideover::domain
