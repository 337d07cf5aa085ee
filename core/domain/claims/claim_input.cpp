#include "core/domain/claims/claim_input.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/domain/basics/text.hpp"
#include "core/domain/claims/npi.hpp"
#include "core/domain/claims/procedure_code.hpp"

namespace tideover::domain {
namespace {

constexpr std::int64_t kMaxUnitsMilli = 9'999'999;  // 9999.999

std::string trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return std::string(text);
}

std::string upper(std::string_view text) {
  std::string raised(text);
  for (char& c : raised)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return raised;
}

bool is_one_of(std::string_view text, std::string_view characters) {
  return text.size() == 1 && characters.find(text[0]) != std::string_view::npos;
}

/// "40-49", "7" or "90+".
std::optional<AgeBand> parse_age_band(std::string_view text) {
  constexpr int kOldestGiven = 89;
  if (text == "90+") return AgeBand{kOldestGiven + 1, AgeBand::kOldest};
  const auto dash = text.find('-');
  const auto years = [](std::string_view digits) -> std::optional<int> {
    int number = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (failure != std::errc{} || end != digits.data() + digits.size() || number < 0 || number > kOldestGiven)
      return std::nullopt;
    return number;
  };
  const auto from = years(text.substr(0, dash)),
             to = dash == std::string_view::npos ? from : years(text.substr(dash + 1));
  if (!from || !to || *to < *from) return std::nullopt;
  return AgeBand{*from, *to};
}

/// Units with at most three decimals, times 1000.
std::optional<std::int64_t> parse_units(std::string_view text) {
  const auto point = text.find('.');
  const auto whole = text.substr(0, point);
  auto fraction = point == std::string_view::npos ? std::string_view{} : text.substr(point + 1);
  if (point != std::string_view::npos && fraction.empty()) return std::nullopt;
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  if (whole.empty() || whole.size() > 9 || fraction.size() > 3) return std::nullopt;
  std::int64_t milli = 0;
  for (const char c : whole) {
    if (c < '0' || c > '9') return std::nullopt;
    milli = milli * 10 + (c - '0');
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const char c = i < fraction.size() ? fraction[i] : '0';
    if (c < '0' || c > '9') return std::nullopt;
    milli = milli * 10 + (c - '0');
  }
  if (milli <= 0 || milli > kMaxUnitsMilli) return std::nullopt;
  return milli;
}

class Intake {
 public:
  Intake(const ClaimInput& input, Date today) : input_(input), today_(today), faults_(input.faults) {}

  Result<ClaimDraft> run() {
    ClaimDraft draft;
    draft.facility = text("facility", input_.facility, 50, false);
    draft.claim_identifier = text("claim_identifier", input_.claim_identifier, 64, true);
    draft.chart_identifier = Sensitive(text("chart_identifier", input_.chart_identifier, 64, true));
    draft.servicer_npi = npi("servicer_npi", input_.servicer_npi);
    draft.billing_npi = npi("billing_npi", input_.billing_npi);
    draft.payer_id = text("patient_primary_payor_id", input_.payer_id, 80, true);
    draft.submitted_amount = money("submitted_amount", input_.submitted_amount, true).value_or(Money{});
    draft.date_of_service = date("date_of_service", input_.date_of_service);
    draft.date_of_submission = date("date_of_submission", input_.date_of_submission);
    if (draft.date_of_service && *draft.date_of_service > today_.plus(1))
      fault("date_of_service", "must not be later than tomorrow");
    if (draft.date_of_submission && *draft.date_of_submission > today_.plus(1))
      fault("date_of_submission", "must not be later than tomorrow");
    if (draft.date_of_service && draft.date_of_submission && *draft.date_of_submission < *draft.date_of_service)
      fault("date_of_submission", "must not be before date_of_service");
    currency("currency", input_.currency);
    lines(draft);
    details(draft.details);
    if (faults_.empty()) return draft;

    Error error = Error::of(ErrorCode::validation_error, summary());
    error.fields = std::move(faults_);
    return error;
  }

 private:
  void fault(std::string path, std::string problem) { faults_.push_back({std::move(path), std::move(problem)}); }
  bool has_fault(std::string_view path) const {
    return std::any_of(faults_.begin(), faults_.end(), [&](const FieldFault& f) { return f.path == path; });
  }

  std::string summary() const {
    const bool missing =
        std::any_of(faults_.begin(), faults_.end(), [](const FieldFault& f) { return f.problem == "required"; });
    const std::string count = std::to_string(faults_.size()) + (faults_.size() == 1 ? " field is" : " fields are");
    return "The claim was not accepted: " + count + (missing ? " missing or" : "") + " not valid; see details.fields.";
  }

  bool required_and_absent(const char* path, const std::optional<std::string>& value, bool required) {
    if (value && !(required && trimmed(*value).empty())) return false;
    if (required && !has_fault(path)) fault(path, "required");
    return true;
  }

  std::string text(const char* path, const std::optional<std::string>& value, std::size_t max, bool required) {
    if (required_and_absent(path, value, required)) return {};
    std::string kept = trimmed(*value);
    if (!is_printable(kept) || count_characters(kept) > max)
      fault(path, "must be 1 to " + std::to_string(max) + " printable characters");
    return kept;
  }

  std::string npi(const char* path, const std::optional<std::string>& value) {
    if (required_and_absent(path, value, true)) return {};
    std::string kept = trimmed(*value);
    if (!has_npi_format(kept)) fault(path, "must be exactly 10 digits");
    return kept;
  }

  std::optional<Money> money(const std::string& path, const std::optional<std::string>& value, bool required) {
    if (required_and_absent(path.c_str(), value, required)) return std::nullopt;
    const auto amount = parse_money(*value);
    if (!amount || *amount < Money{}) {
      fault(path, "must be a number from 0 to 99999999.99 with at most 2 decimals");
      return std::nullopt;
    }
    return amount;
  }

  void currency(const std::string& path, const std::optional<std::string>& value) {
    if (const auto code = given(value); code && upper(*code) != kCurrency) fault(path, std::string(kOtherCurrency));
  }

  std::optional<Date> date(const char* path, const std::optional<std::string>& value) {
    if (!value || value->empty()) return std::nullopt;
    const auto parsed = parse_date(*value);
    if (!parsed) fault(path, "must be a calendar date written YYYY-MM-DD");
    return parsed;
  }

  void lines(ClaimDraft& draft) {
    if (input_.service_lines.size() > kMaxServiceLines) {
      fault("service_lines", "must have at most 50 entries");
      return;
    }
    for (std::size_t i = 0; i < input_.service_lines.size(); ++i) {
      const auto& given = input_.service_lines[i];
      const auto at = [i](const char* field) { return "service_lines[" + std::to_string(i) + "]." + field; };
      ServiceLine line;
      if (given.cpt) {
        line.cpt = repair_procedure_code(*given.cpt);
        if (line.cpt.empty() || given.cpt->size() > 10 || !is_printable(*given.cpt))
          fault(at("cpt"), "must be 1 to 10 printable characters");
      }
      if (given.modifier) {
        if (given.modifier->size() > 20 || !is_printable(*given.modifier))
          fault(at("modifier"), "must be at most 20 printable characters");
        line.modifier = normalise_modifiers(*given.modifier).value_or(*given.modifier);
      }
      if (given.units) {
        if (const auto milli = parse_units(*given.units))
          line.units_milli = *milli;
        else
          fault(at("units"), "must be a number above 0 and at most 9999.999 with at most 3 decimals");
      }
      currency(at("currency"), given.currency);
      if (given.amount) line.amount = money(at("amount"), given.amount, false);
      draft.service_lines.push_back(std::move(line));
    }
  }

  /// The text without surrounding blanks, if there is any.
  static std::optional<std::string> given(const std::optional<std::string>& value) {
    if (!value) return std::nullopt;
    auto kept = trimmed(*value);
    return kept.empty() ? std::nullopt : std::optional(std::move(kept));
  }

  void details(ClaimDetails& details) {
    diagnoses(details);
    if (const auto place = given(input_.place_of_service)) {
      details.place_of_service = place->size() == 1 ? '0' + *place : *place;
      if (details.place_of_service.size() != 2 ||
          details.place_of_service.find_first_not_of("0123456789") != std::string::npos)
        fault("place_of_service", "must be two digits of CMS's list of places, such as 11");
    }
    if (const auto band = given(input_.patient_age_band)) {
      details.patient_age = parse_age_band(*band);
      if (!details.patient_age) fault("patient_age_band", "must be years such as 40-49, or 90+");
    }
    if (const auto sex = given(input_.patient_sex)) {
      details.patient_sex = upper(*sex);
      if (!is_one_of(details.patient_sex, "FMU")) fault("patient_sex", "must be F, M or U");
    }
    details.prior_authorization = yes_or_no("prior_authorization", input_.prior_authorization);
    if (const auto code = given(input_.claim_frequency_code)) {
      details.claim_frequency_code = *code;
      if (!is_one_of(*code, "1678"))
        fault("claim_frequency_code", "must be 1 (original), 6 (corrected), 7 (replacement) or 8 (void)");
    }
    coordination(details);
  }

  std::optional<bool> yes_or_no(const char* path, const std::optional<std::string>& value) {
    const auto kept = given(value);
    if (!kept) return std::nullopt;
    const auto word = upper(*kept);
    const bool is_yes = word == "TRUE" || word == "Y";
    if (!is_yes && word != "FALSE" && word != "N") fault(path, "must be true or false");
    return is_yes;
  }

  /// The billed payer, earlier payments, and whether the payment goes to the provider.
  void coordination(ClaimDetails& details) {
    if (const auto sequence = given(input_.payer_sequence)) {
      const auto word = upper(*sequence);
      for (const std::string_view name : {"primary", "secondary", "tertiary"})
        if (word == upper(name) || word == upper(name.substr(0, 1))) details.payer_sequence = name;
      if (details.payer_sequence.empty()) fault("payer_sequence", "must be primary, secondary or tertiary");
    }
    if (given(input_.paid_by_others)) details.paid_by_others = money("paid_by_others", input_.paid_by_others, false);
    if (given(input_.patient_paid)) details.patient_paid = money("patient_paid", input_.patient_paid, false);
    details.benefits_assigned = yes_or_no("benefits_assigned", input_.benefits_assigned);
    details.accepts_assignment = yes_or_no("accepts_assignment", input_.accepts_assignment);
    details.is_encounter = yes_or_no("is_encounter", input_.is_encounter);
    details.is_test = yes_or_no("is_test", input_.is_test);
    details.pay_to_plan = yes_or_no("pay_to_plan", input_.pay_to_plan);
  }

  /// Rules check the syntax, as for procedure codes.
  void diagnoses(ClaimDetails& details) {
    const auto take = [&](const std::string& path, std::string_view text) {
      std::string code;
      for (const char c : upper(text))
        if (c != '.' && c != ' ') code += c;
      if (code.empty() || code.size() > 8 || !is_printable(code)) fault(path, "must be 1 to 8 printable characters");
      details.diagnosis_codes.push_back(std::move(code));
    };
    if (input_.diagnosis_codes.size() > kMaxDiagnosisCodes)
      return fault("diagnosis_codes", "must have at most 12 entries");
    for (std::size_t i = 0; i < input_.diagnosis_codes.size(); ++i)
      if (const auto& code = input_.diagnosis_codes[i]) take("diagnosis_codes[" + std::to_string(i) + "]", *code);
    const std::string list = input_.diagnosis_list.value_or("");
    for (std::size_t from = list.find_first_not_of(",;: "); from != std::string::npos;) {
      const auto end = std::min(list.find_first_of(",;: ", from), list.size());
      take("diagnosis_codes", std::string_view(list).substr(from, end - from));
      from = list.find_first_not_of(",;: ", end);
    }
    if (details.diagnosis_codes.size() > kMaxDiagnosisCodes) fault("diagnosis_codes", "must have at most 12 entries");
  }

  const ClaimInput& input_;
  Date today_;
  std::vector<FieldFault> faults_;
};

constexpr std::pair<std::string_view, std::optional<std::string> ClaimInput::*> kTextFields[] = {
    {"facility", &ClaimInput::facility},
    {"claim_identifier", &ClaimInput::claim_identifier},
    {"chart_identifier", &ClaimInput::chart_identifier},
    {"date_of_service", &ClaimInput::date_of_service},
    {"date_of_submission", &ClaimInput::date_of_submission},
    {"servicer_npi", &ClaimInput::servicer_npi},
    {"billing_npi", &ClaimInput::billing_npi},
    {"patient_primary_payor_id", &ClaimInput::payer_id},
    {"submitted_amount", &ClaimInput::submitted_amount},
    {"place_of_service", &ClaimInput::place_of_service},
    {"patient_age_band", &ClaimInput::patient_age_band},
    {"patient_sex", &ClaimInput::patient_sex},
    {"prior_authorization", &ClaimInput::prior_authorization},
    {"claim_frequency_code", &ClaimInput::claim_frequency_code},
    {"payer_sequence", &ClaimInput::payer_sequence},
    {"paid_by_others", &ClaimInput::paid_by_others},
    {"patient_paid", &ClaimInput::patient_paid},
    {"benefits_assigned", &ClaimInput::benefits_assigned},
    {"accepts_assignment", &ClaimInput::accepts_assignment},
    {"is_encounter", &ClaimInput::is_encounter},
    {"is_test", &ClaimInput::is_test},
    {"pay_to_plan", &ClaimInput::pay_to_plan},
    {"currency", &ClaimInput::currency},
    {"diagnosis_codes", &ClaimInput::diagnosis_list},
};

}  // namespace

std::optional<std::string>* ClaimInput::at(std::string_view path) {
  for (const auto& [name, member] : kTextFields)
    if (path == name) return &(this->*member);

  constexpr std::string_view diagnosis = "diagnosis_codes[";
  if (path.starts_with(diagnosis)) {
    path.remove_prefix(diagnosis.size());
    std::size_t index = 0;
    const auto [end, failure] = std::from_chars(path.data(), path.data() + path.size(), index);
    path.remove_prefix(static_cast<std::size_t>(end - path.data()));
    if (failure != std::errc{} || index > kMaxDiagnosisCodes || path != "]") return nullptr;
    if (index >= diagnosis_codes.size()) diagnosis_codes.resize(index + 1);
    return &diagnosis_codes[index];
  }

  constexpr std::string_view prefix = "service_lines[";
  if (!path.starts_with(prefix)) return nullptr;
  path.remove_prefix(prefix.size());
  std::size_t index = 0;
  const auto [end, failure] = std::from_chars(path.data(), path.data() + path.size(), index);
  path.remove_prefix(static_cast<std::size_t>(end - path.data()));
  if (failure != std::errc{} || index > kMaxServiceLines || !path.starts_with("].")) return nullptr;
  path.remove_prefix(2);
  if (index >= service_lines.size()) service_lines.resize(index + 1);
  ServiceLineInput& line = service_lines[index];
  if (path == "cpt") return &line.cpt;
  if (path == "modifier") return &line.modifier;
  if (path == "units") return &line.units;
  if (path == "currency") return &line.currency;
  if (path == "amount") return &line.amount;
  return nullptr;
}

Result<ClaimDraft> accept_claim(const ClaimInput& input, Date today) {
  return Intake(input, today).run();
}

}  // namespace tideover::domain
