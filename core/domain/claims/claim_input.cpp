#include "core/domain/claims/claim_input.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/domain/basics/text.hpp"
#include "core/domain/claims/procedure_code.hpp"

namespace tideover::domain {
namespace {

constexpr std::int64_t kMaxUnitsMilli = 9'999'999;  // 9999.999

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

/// Whether a text names this, without regard to case and surrounding blanks.
bool is_named(const InputText& text, std::string_view name) {
  const auto kept = filled(text);
  return kept && upper_case(*kept) == upper_case(name);
}

/// The message of a claim with faults.
std::string summary_of(const std::vector<FieldFault>& faults) {
  const bool missing =
      std::any_of(faults.begin(), faults.end(), [](const FieldFault& f) { return f.problem == "required"; });
  const std::string count = std::to_string(faults.size()) + (faults.size() == 1 ? " field is" : " fields are");
  return "The claim was not accepted: " + count + (missing ? " missing or" : "") + " not valid; see details.fields.";
}

class Intake {
 public:
  Intake(const ClaimInput& input, Date today) : input_(input), checks_(input.faults, today) {}

  Result<ClaimDraft> run() {
    ClaimDraft draft;
    read_type();
    draft.facility = checks_.text("facility", input_.facility, 50, false);
    draft.claim_identifier = checks_.text("claim_identifier", input_.claim_identifier, 64, true);
    if (is_dot_segment(draft.claim_identifier))
      checks_.fault("claim_identifier", "must not be . or .., because clients remove them from a URL");
    draft.chart_identifier = Sensitive(checks_.text("chart_identifier", input_.chart_identifier, 64, true));
    draft.servicer_npi = checks_.npi("servicer_npi", input_.servicer_npi, true);
    draft.billing_npi = checks_.npi("billing_npi", input_.billing_npi, true);
    draft.payer_id = checks_.text("patient_primary_payor_id", input_.payer_id, 80, true);
    draft.submitted_amount = checks_.money("submitted_amount", input_.submitted_amount, true).value_or(Money{});
    draft.date_of_service = checks_.past_date("date_of_service", input_.date_of_service);
    draft.date_of_submission = checks_.past_date("date_of_submission", input_.date_of_submission);
    check_submission(draft);
    checks_.currency("currency", input_.currency);
    lines(draft);
    details(draft.details);
    date_by_statement(draft);
    if (checks_.faults().empty()) return draft;

    Error error = Error::of(ErrorCode::validation_error, summary_of(checks_.faults()));
    error.fields = std::move(checks_.faults());
    return error;
  }

 private:
  void read_type() {
    is_institutional_ = type_of(input_.claim_type) == ClaimType::institutional;
    if (filled(input_.claim_type) && !is_institutional_ &&
        !is_named(input_.claim_type, name_of(ClaimType::professional)))
      checks_.fault("claim_type", "must be professional or institutional");
  }

  /// Without a day of service, an institutional claim has the first one of its statement.
  void date_by_statement(ClaimDraft& draft) {
    if (draft.date_of_service || !draft.details.institutional) return;
    draft.date_of_service = draft.details.institutional->statement_from;
    check_submission(draft);
  }

  void check_submission(const ClaimDraft& draft) {
    if (draft.date_of_service && draft.date_of_submission && *draft.date_of_submission < *draft.date_of_service)
      checks_.fault("date_of_submission", "must not be before date_of_service");
  }

  void lines(ClaimDraft& draft) {
    if (input_.service_lines.size() > max_service_lines(input_.claim_type))
      return checks_.fault("service_lines", too_many_lines(input_.claim_type));
    for (std::size_t i = 0; i < input_.service_lines.size(); ++i)
      draft.service_lines.push_back(line(input_.service_lines[i], "service_lines[" + std::to_string(i) + "]."));
  }

  ServiceLine line(const ServiceLineInput& sent, const std::string& at) {
    ServiceLine line;
    if (sent.cpt) {
      line.cpt = repair_procedure_code(*sent.cpt);
      if (line.cpt.empty() || sent.cpt->size() > 10 || !is_printable(*sent.cpt))
        checks_.fault(at + "cpt", "must be 1 to 10 printable characters");
    }
    if (sent.modifier) {
      if (sent.modifier->size() > 20 || !is_printable(*sent.modifier))
        checks_.fault(at + "modifier", "must be at most 20 printable characters");
      line.modifier = normalise_modifiers(*sent.modifier).value_or(*sent.modifier);
    }
    if (sent.units) {
      if (const auto milli = parse_units(*sent.units))
        line.units_milli = *milli;
      else
        checks_.fault(at + "units", "must be a number above 0 and at most 9999.999 with at most 3 decimals");
    }
    checks_.currency(at + "currency", sent.currency);
    if (sent.amount) line.amount = checks_.money(at + "amount", sent.amount, false);
    if (filled(sent.revenue_code)) {
      line.revenue_code =
          checks_.code(at + "revenue_code", sent.revenue_code, 3, 4, kDigits, "four digits, such as 0450");
      if (line.revenue_code.size() == 3) line.revenue_code.insert(0, 1, '0');
      if (!is_institutional_) checks_.fault(at + "revenue_code", std::string(kOnlyInstitutional));
    }
    return line;
  }

  void details(ClaimDetails& details) {
    diagnoses(details);
    if (const auto place = filled(input_.place_of_service)) {
      details.place_of_service = place->size() == 1 ? '0' + *place : *place;
      if (details.place_of_service.size() != 2 || !has_only(details.place_of_service, kDigits))
        checks_.fault("place_of_service", "must be two digits of CMS's list of places, such as 11");
      if (is_institutional_)
        checks_.fault("place_of_service", "is only for a professional claim; an institutional one has type_of_bill");
    }
    if (const auto band = filled(input_.patient_age_band)) {
      details.patient_age = parse_age_band(*band);
      if (!details.patient_age) checks_.fault("patient_age_band", "must be years such as 40-49, or 90+");
    }
    if (const auto sex = filled(input_.patient_sex)) {
      details.patient_sex = upper_case(*sex);
      if (!is_one_of(details.patient_sex, "FMU")) checks_.fault("patient_sex", "must be F, M or U");
    }
    details.prior_authorization = checks_.yes_or_no("prior_authorization", input_.prior_authorization);
    if (const auto code = filled(input_.claim_frequency_code)) {
      details.claim_frequency_code = *code;
      if (!is_one_of(*code, kFrequencies))
        checks_.fault("claim_frequency_code", "must be 1 (original), 6 (corrected), 7 (replacement) or 8 (void)");
    }
    coordination(details);
    if (is_institutional_)
      institutional(details);
    else
      refuse_institutional(input_.institutional, checks_);
  }

  /// The last character of the type of bill is the frequency code.
  void institutional(ClaimDetails& details) {
    details.institutional = accept_institutional(input_.institutional, details.diagnosis_codes.size(), checks_);
    const auto& bill = details.institutional->type_of_bill;
    if (bill.empty()) return;
    const auto frequency = bill.substr(bill.size() - 1);
    if (details.claim_frequency_code.empty() && is_one_of(frequency, kFrequencies))
      details.claim_frequency_code = frequency;
    if (!details.claim_frequency_code.empty() && details.claim_frequency_code != frequency)
      checks_.fault("claim_frequency_code", "must be the last character of type_of_bill");
  }

  /// The billed payer, earlier payments, and whether the payment goes to the provider.
  void coordination(ClaimDetails& details) {
    if (const auto sequence = filled(input_.payer_sequence)) {
      const auto word = upper_case(*sequence);
      for (const std::string_view name : {"primary", "secondary", "tertiary"})
        if (word == upper_case(name) || word == upper_case(name.substr(0, 1))) details.payer_sequence = name;
      if (details.payer_sequence.empty()) checks_.fault("payer_sequence", "must be primary, secondary or tertiary");
    }
    if (filled(input_.paid_by_others))
      details.paid_by_others = checks_.money("paid_by_others", input_.paid_by_others, false);
    if (filled(input_.patient_paid)) details.patient_paid = checks_.money("patient_paid", input_.patient_paid, false);
    details.benefits_assigned = checks_.yes_or_no("benefits_assigned", input_.benefits_assigned);
    details.accepts_assignment = checks_.yes_or_no("accepts_assignment", input_.accepts_assignment);
    details.is_encounter = checks_.yes_or_no("is_encounter", input_.is_encounter);
    details.is_test = checks_.yes_or_no("is_test", input_.is_test);
    details.pay_to_plan = checks_.yes_or_no("pay_to_plan", input_.pay_to_plan);
  }

  /// Rules check the syntax, as for procedure codes.
  void diagnoses(ClaimDetails& details) {
    const auto take = [&](const std::string& path, std::string_view text) {
      std::string code;
      for (const char c : upper_case(text))
        if (c != '.' && c != ' ') code += c;
      if (code.empty() || code.size() > 8 || !is_printable(code))
        checks_.fault(path, "must be 1 to 8 printable characters");
      details.diagnosis_codes.push_back(std::move(code));
    };
    const auto most = is_institutional_ ? kMaxInstitutionalDiagnoses : kMaxDiagnosisCodes;
    const auto too_many = "must have at most " + std::to_string(most) + " entries";
    if (input_.diagnosis_codes.size() > most) return checks_.fault("diagnosis_codes", too_many);
    for (std::size_t i = 0; i < input_.diagnosis_codes.size(); ++i)
      if (const auto& code = input_.diagnosis_codes[i]) take("diagnosis_codes[" + std::to_string(i) + "]", *code);
    for (const auto& code : words_of(input_.diagnosis_list)) take("diagnosis_codes", code);
    if (details.diagnosis_codes.size() > most) checks_.fault("diagnosis_codes", too_many);
  }

  static constexpr std::string_view kFrequencies = "1678";

  const ClaimInput& input_;
  FieldChecks checks_;
  bool is_institutional_ = false;
};

constexpr std::pair<std::string_view, InputText ClaimInput::*> kTextFields[] = {
    {"claim_type", &ClaimInput::claim_type},
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

/// Any text that is not a type counts as professional: it is a fault of its own.
ClaimType type_of(const InputText& claim_type) {
  return is_named(claim_type, name_of(ClaimType::institutional)) ? ClaimType::institutional : ClaimType::professional;
}

std::size_t max_service_lines(const InputText& claim_type) {
  return type_of(claim_type) == ClaimType::institutional ? kMaxInstitutionalLines : kMaxServiceLines;
}

std::string too_many_lines(const InputText& claim_type) {
  return "must have at most " + std::to_string(max_service_lines(claim_type)) + " entries";
}

InputText* ClaimInput::at(std::string_view path) {
  for (const auto& [name, member] : kTextFields)
    if (path == name) return &(this->*member);
  const auto element = list_path_of(path);
  if (!element) return institutional.at(path);
  const bool is_diagnosis = element->list == "diagnosis_codes", is_line = element->list == "service_lines";
  if (is_diagnosis && element->member.empty())
    return element_at(diagnosis_codes, element->index, kMaxInstitutionalDiagnoses);
  if (!is_line) return institutional.at(*element);
  if (element->member.empty()) return nullptr;
  auto* const line = element_at(service_lines, element->index, kMaxInstitutionalLines);
  if (!line) return nullptr;
  if (element->member == "cpt") return &line->cpt;
  if (element->member == "modifier") return &line->modifier;
  if (element->member == "units") return &line->units;
  if (element->member == "currency") return &line->currency;
  if (element->member == "amount") return &line->amount;
  if (element->member == "revenue_code") return &line->revenue_code;
  return nullptr;
}

Result<ClaimDraft> accept_claim(const ClaimInput& input, Date today) {
  return Intake(input, today).run();
}

}  // namespace tideover::domain
