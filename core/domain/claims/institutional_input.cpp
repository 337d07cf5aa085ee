#include "core/domain/claims/institutional_input.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tideover::domain {
namespace {

constexpr std::pair<std::string_view, InputText InstitutionalInput::*> kInstitutionalTexts[] = {
    {"type_of_bill", &InstitutionalInput::type_of_bill},
    {"statement_from", &InstitutionalInput::statement_from},
    {"statement_through", &InstitutionalInput::statement_through},
    {"admission_date", &InstitutionalInput::admission_date},
    {"discharge_date", &InstitutionalInput::discharge_date},
    {"admission_type", &InstitutionalInput::admission_type},
    {"admission_source", &InstitutionalInput::admission_source},
    {"patient_status", &InstitutionalInput::patient_status},
    {"attending_npi", &InstitutionalInput::attending_npi},
    {"operating_npi", &InstitutionalInput::operating_npi},
    {"drg", &InstitutionalInput::drg},
    {"condition_codes", &InstitutionalInput::condition_list},
    {"present_on_admission", &InstitutionalInput::present_on_admission_list},
};

constexpr const char* kTwoCharacters = "two digits or letters";

/// Reads the institutional fields of one claim.
class InstitutionalIntake {
 public:
  InstitutionalIntake(const InstitutionalInput& input, FieldChecks& checks) : input_(input), checks_(checks) {}

  InstitutionalDetails run(std::size_t diagnoses) {
    auto& made = details_;
    made.type_of_bill = type_of_bill();
    periods();
    made.admission_type = checks_.code("admission_type", input_.admission_type, 1, 1, kDigits, "one digit");
    made.admission_source =
        checks_.code("admission_source", input_.admission_source, 1, 1, kDigitsAndLetters, "one digit or letter");
    made.patient_status =
        checks_.code("patient_status", input_.patient_status, 1, 2, kDigits, "two digits, such as 01 or 30");
    if (made.patient_status.size() == 1) made.patient_status.insert(0, 1, '0');
    made.attending_npi = checks_.npi("attending_npi", input_.attending_npi, false);
    made.operating_npi = checks_.npi("operating_npi", input_.operating_npi, false);
    made.drg = checks_.code("drg", input_.drg, 3, 4, kDigits, "three or four digits");
    made.condition_codes = codes("condition_codes", input_.condition_codes, input_.condition_list, kMaxClaimCodes);
    present_on_admission(diagnoses);
    occurrences();
    values();
    return std::move(details_);
  }

 private:
  /// The leading 0 may be missing: forms print four characters, files have three.
  std::string type_of_bill() {
    auto code = checks_.code("type_of_bill", input_.type_of_bill, 3, 4, kDigitsAndLetters, kWantedBill);
    if (code.size() == 3) code.insert(0, 1, '0');
    const bool fits = code.size() != 4 || (code[0] == '0' && code[1] != '0' && has_only(code.substr(1, 2), kDigits));
    if (!fits) checks_.fault("type_of_bill", std::string("must be ") + kWantedBill);
    return code;
  }

  void periods() {
    auto& made = details_;
    made.statement_from = checks_.past_date("statement_from", input_.statement_from);
    made.statement_through = checks_.past_date("statement_through", input_.statement_through);
    if (made.statement_through && !made.statement_from && !filled(input_.statement_from))
      checks_.fault("statement_from", "required with statement_through");
    in_order(made.statement_from, made.statement_through, "statement_through", "statement_from");
    made.admission_date = checks_.past_date("admission_date", input_.admission_date);
    made.discharge_date = checks_.past_date("discharge_date", input_.discharge_date);
    in_order(made.admission_date, made.discharge_date, "discharge_date", "admission_date");
  }

  void in_order(std::optional<Date> from, std::optional<Date> to, const std::string& path, const char* before) {
    if (from && to && *to < *from) checks_.fault(path, std::string("must not be before ") + before);
  }

  template <class Element>
  bool is_within(const char* path, const std::vector<Element>& list, std::size_t most) {
    if (list.size() <= most) return true;
    checks_.fault(path, "must have at most " + std::to_string(most) + " entries");
    return false;
  }

  std::vector<std::string> codes(const char* path, const std::vector<InputText>& list, const InputText& text,
                                 std::size_t most) {
    auto all = list;
    for (auto& code : words_of(text)) all.emplace_back(std::move(code));
    std::vector<std::string> read;
    if (!is_within(path, all, most)) return read;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (filled(all[i]))
        read.push_back(checks_.code(at(path, i, ""), all[i], 2, 2, kDigitsAndLetters, kTwoCharacters));
    return read;
  }

  void present_on_admission(std::size_t diagnoses) {
    constexpr const char* kPath = "present_on_admission";
    auto all = input_.present_on_admission;
    for (auto& code : words_of(input_.present_on_admission_list)) all.emplace_back(std::move(code));
    if (all.size() > diagnoses) return checks_.fault(kPath, "must have at most as many entries as diagnosis_codes");
    for (std::size_t i = 0; i < all.size(); ++i)
      details_.present_on_admission.push_back(
          checks_.code(at(kPath, i, ""), all[i], 1, 1, "YNUW1", "Y, N, U, W or 1, or empty for an exempt diagnosis"));
  }

  void occurrences() {
    if (is_within("occurrence_codes", input_.occurrence_codes, kMaxClaimCodes))
      for (std::size_t i = 0; i < input_.occurrence_codes.size(); ++i) {
        const auto& sent = input_.occurrence_codes[i];
        const auto path = [i](const char* member) { return at("occurrence_codes", i, member); };
        details_.occurrence_codes.push_back(
            {two_characters(path("code"), sent.code), required_date(path("date"), sent.date)});
      }
    if (is_within("occurrence_spans", input_.occurrence_spans, kMaxClaimCodes))
      for (std::size_t i = 0; i < input_.occurrence_spans.size(); ++i) {
        const auto& sent = input_.occurrence_spans[i];
        const auto path = [i](const char* member) { return at("occurrence_spans", i, member); };
        const OccurrenceSpan span{two_characters(path("code"), sent.code), required_date(path("from"), sent.from),
                                  required_date(path("through"), sent.through)};
        in_order(span.from, span.through, path("through"), "from");
        details_.occurrence_spans.push_back(span);
      }
  }

  void values() {
    if (!is_within("value_codes", input_.value_codes, kMaxClaimCodes)) return;
    for (std::size_t i = 0; i < input_.value_codes.size(); ++i) {
      const auto& sent = input_.value_codes[i];
      const auto path = [i](const char* member) { return at("value_codes", i, member); };
      details_.value_codes.push_back({two_characters(path("code"), sent.code),
                                      checks_.money(path("amount"), sent.amount, true).value_or(Money{})});
    }
  }

  std::string two_characters(const std::string& path, const InputText& value) {
    if (!filled(value)) checks_.require(path);
    return checks_.code(path, value, 2, 2, kDigitsAndLetters, kTwoCharacters);
  }
  Date required_date(const std::string& path, const InputText& value) {
    if (!filled(value)) checks_.require(path);
    return checks_.date(path, value).value_or(Date{});
  }

  static std::string at(const char* list, std::size_t index, const char* member) {
    auto path = list + ('[' + std::to_string(index) + ']');
    return *member == '\0' ? path : path + '.' + member;
  }

  static constexpr const char* kWantedBill = "a type of bill, such as 0131 or 131";
  const InstitutionalInput& input_;
  FieldChecks& checks_;
  InstitutionalDetails details_;
};

}  // namespace

std::optional<ListPath> list_path_of(std::string_view path) {
  const auto open = path.find('[');
  if (open == std::string_view::npos) return std::nullopt;
  ListPath found{path.substr(0, open), 0, {}};
  path.remove_prefix(open + 1);
  const auto [end, failure] = std::from_chars(path.data(), path.data() + path.size(), found.index);
  path.remove_prefix(static_cast<std::size_t>(end - path.data()));
  if (failure != std::errc{} || !path.starts_with(']')) return std::nullopt;
  path.remove_prefix(1);
  if (path.empty()) return found;
  if (!path.starts_with('.') || path.size() == 1) return std::nullopt;
  found.member = path.substr(1);
  return found;
}

InputText* InstitutionalInput::at(std::string_view path) {
  for (const auto& [name, member] : kInstitutionalTexts)
    if (path == name) return &(this->*member);
  return nullptr;
}

InputText* InstitutionalInput::at(const ListPath& path) {
  if (path.member.empty()) {
    if (path.list == "condition_codes") return element_at(condition_codes, path.index, kMaxClaimCodes);
    return path.list == "present_on_admission" ? element_at(present_on_admission, path.index, kMaxClaimCodes + 1)
                                               : nullptr;
  }
  if (path.list == "occurrence_codes") {
    auto* const one = element_at(occurrence_codes, path.index, kMaxClaimCodes);
    return !one ? nullptr : path.member == "code" ? &one->code : path.member == "date" ? &one->date : nullptr;
  }
  if (path.list == "occurrence_spans") {
    auto* const one = element_at(occurrence_spans, path.index, kMaxClaimCodes);
    if (!one) return nullptr;
    return path.member == "code"      ? &one->code
           : path.member == "from"    ? &one->from
           : path.member == "through" ? &one->through
                                      : nullptr;
  }
  if (path.list != "value_codes") return nullptr;
  auto* const one = element_at(value_codes, path.index, kMaxClaimCodes);
  return !one ? nullptr : path.member == "code" ? &one->code : path.member == "amount" ? &one->amount : nullptr;
}

InstitutionalDetails accept_institutional(const InstitutionalInput& input, std::size_t diagnoses, FieldChecks& checks) {
  return InstitutionalIntake(input, checks).run(diagnoses);
}

void refuse_institutional(const InstitutionalInput& input, FieldChecks& checks) {
  const auto refuse = [&](std::string_view path, bool is_sent) {
    if (is_sent) checks.fault(std::string(path), std::string(kOnlyInstitutional));
  };
  for (const auto& [name, member] : kInstitutionalTexts) refuse(name, filled(input.*member).has_value());
  refuse("condition_codes", !input.condition_codes.empty());
  refuse("present_on_admission", !input.present_on_admission.empty());
  refuse("occurrence_codes", !input.occurrence_codes.empty());
  refuse("occurrence_spans", !input.occurrence_spans.empty());
  refuse("value_codes", !input.value_codes.empty());
}

}  // namespace tideover::domain
