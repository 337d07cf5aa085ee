#include "claim.hpp"

#include <algorithm>

#include "tideover/money.hpp"
#include "x12/elements.hpp"

namespace x12_837 {
namespace {

constexpr std::size_t kMostLines = 999;                  // of an institutional claim; the limit of the guide
constexpr std::size_t kLongestValue = 80;                // the values read here are never longer in X12
constexpr std::size_t kLongestFacility = 50;             // a longer name is omitted
constexpr std::size_t kMostOtherPayers = 10;             // the limit of the guide
constexpr std::size_t kMostInComposite = 12;             // codes of one HI
constexpr std::size_t kMostDiagnoses = 12;               // of a professional claim
constexpr std::size_t kMostInstitutionalDiagnoses = 25;  // the principal one and 24 others

// IK304 of a 999.
constexpr const char* kUnexpected = "2";
constexpr const char* kTooManyLoops = "4";
constexpr const char* kTooMany = "5";
constexpr const char* kOutOfOrder = "7";
constexpr const char* kElements = "8";

/// Two digits of the CMS place-of-service list. Other text is omitted: the place is optional.
bool is_place(std::string_view text) {
  return text.size() == 2 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The rank of a payer by SBR01: P, S, T, then A to H from the fourth on; 0 for other values.
int rank_of(std::string_view sequence) {
  constexpr std::string_view kOrder = "PSTABCDEFGH";
  const auto at = sequence.size() == 1 ? kOrder.find(sequence.front()) : std::string_view::npos;
  return at == std::string_view::npos ? 0 : static_cast<int>(at) + 1;
}

}  // namespace

std::string npi_of(const Segment& nm1) {
  return nm1.at(8) == "XX" ? std::string(nm1.at(9)) : std::string();
}

std::string plain_decimal(std::string_view text) {
  std::string plain(text);
  if (!plain.empty() && plain.front() == '.') plain.insert(0, 1, '0');
  if (!plain.empty() && plain.back() == '.') plain.pop_back();
  return plain;
}

Claim::Claim(const Segment& clm, const Surroundings& above, char component) : above_(above) {
  record_.line = clm.number();
  record_.byte = clm.position().byte;
  claim_identifier_ = value(clm, 1, clm.at(1));
  amount_ = plain_decimal(value(clm, 2, clm.at(2)));
  const auto place = x12::split(clm.at(5), component);
  if (place.size() > 2 && x12::trim(place[2]) == "8")
    spoil(clm, "CLM05-3 is 8: this voids a claim that was sent before; set that claim's status to voided",
          {kElements, "I6", 5});
  institutional_.take_bill(place);
  // In an institutional claim CLM05-1 is the start of a type of bill.
  if (place.size() > 1 && x12::trim(place[1]) == "B" && is_place(x12::trim(place[0])))
    place_of_service_ = x12::trim(place[0]);
  if (place.size() > 2 && (x12::trim(place[2]) == "1" || x12::trim(place[2]) == "6" || x12::trim(place[2]) == "7"))
    frequency_code_ = x12::trim(place[2]);
  accepts_assignment_ = clm.at(7);
  benefits_assigned_ = clm.at(8);
}

void Claim::take(const Segment& segment, char component) {
  const auto id = segment.id();
  if (id == "SBR") {
    is_other_payer_ = true;
    if (other_payers_.size() == kMostOtherPayers)
      return spoil(segment, "the claim has more than 10 other payers", {kTooManyLoops});
    other_payers_.push_back({rank_of(segment.at(1)), {}, {}, {}});
  } else if (id == "LX") {
    is_other_payer_ = false;
    in_line_ = true;
    if (lines_.size() == kMostLines) spoil(segment, "the claim has more than 999 service lines", {kTooManyLoops});
    if (lines_.size() < kMostLines) lines_.emplace_back();
  } else if (is_other_payer_) {
    take_of_other_payer(segment);
  } else if (id == "SVD" && in_line_) {
    take_line_payment(segment);
  } else if (id == "AMT" && segment.at(1) == "F5" && !in_line_) {
    patient_paid_ = cents(segment, 2);
  } else if (id == "SV1") {
    take_line(segment, 1, component);
  } else if (id == "SV2") {
    take_line(segment, 2, component);
  } else if (id == "SV3") {
    spoil(segment, "a dental service line (SV3) is not read", {kUnexpected});
  } else if (id == "DTP") {
    take_date(segment);
  } else if (id == "REF" && segment.at(1) == "EA" && !in_line_) {
    chart_identifier_ = value(segment, 2, segment.at(2));
  } else if (id == "REF" && segment.at(1) == "G1" && !in_line_) {
    is_authorized_ = !segment.at(2).empty();
  } else if (id == "HI" && !in_line_) {
    take_codes(segment, component);
  } else if (id == "NM1" && segment.at(1) == "82" && rendering_npi_.empty()) {
    rendering_npi_ = value(segment, 9, npi_of(segment));
  } else if (id == "NM1" && segment.at(1) == "77" && !in_line_) {
    if (segment.at(3).size() <= kLongestFacility && x12::is_printable(segment.at(3))) facility_ = segment.at(3);
  } else if (!in_line_) {
    institutional_.take(segment);
  }
}

/// SV1 and SV2 have the same layout: the composite of the procedure, then amount, unit of measure and units. A line of
/// an institutional claim may have only a revenue code.
void Claim::take_line(const Segment& service, std::size_t composite, char component) {
  if (!in_line_ || lines_.empty()) return spoil(service, "a service line has no LX before it", {kOutOfOrder});
  Line& line = lines_.back();
  if (composite > 1) {
    institutional_.note_revenue_line();
    const auto code = service.at(1);
    if ((code.size() == 3 || code.size() == 4) && std::all_of(code.begin(), code.end(), x12::is_digit))
      line.revenue_code = code;
  }
  if (!line.amount.empty()) return spoil(service, "a line has a second service", {kTooMany});
  const auto parts = x12::split(service.at(composite), component);
  if (parts.size() > 1) line.procedure = value(service, composite, x12::trim(parts[1]));
  for (std::size_t i = 2; i < std::min<std::size_t>(parts.size(), 6); ++i) {
    const auto modifier = value(service, composite, x12::trim(parts[i]));
    if (!modifier.empty()) line.modifiers += (line.modifiers.empty() ? "" : ":") + modifier;
  }
  line.amount = plain_decimal(value(service, composite + 1, service.at(composite + 1)));
  line.units = plain_decimal(value(service, composite + 3, service.at(composite + 3)));
}

/// Diagnoses in ICD-10-CM only: the principal one (ABK) and the others (ABF). Text that is not a code is omitted.
void Claim::take_codes(const Segment& hi, char component) {
  const auto most = institutional_.is_institutional() ? kMostInstitutionalDiagnoses : kMostDiagnoses;
  for (std::size_t i = 1; i <= kMostInComposite; ++i) {
    const auto parts = x12::split(hi.at(i), component);
    const auto qualifier = x12::trim(parts[0]);
    if (parts.size() < 2) continue;
    if (qualifier != "ABK" && qualifier != "ABF") {
      institutional_.take_code(qualifier, parts);
      continue;
    }
    const auto code = x12::trim(parts[1]);
    if (code.empty() || code.size() > 8 || !x12::is_printable(code) || diagnoses_.size() == most) continue;
    diagnoses_.emplace_back(code);
    constexpr std::size_t kPresentOnAdmission = 8;  // C022-9
    institutional_.take_present_on_admission(parts.size() > kPresentOnAdmission ? x12::trim(parts[kPresentOnAdmission])
                                                                                : std::string_view{});
  }
}

void Claim::take_date(const Segment& dtp) {
  const auto first = dtp.at(2) == "RD8" ? dtp.at(3).substr(0, dtp.at(3).find('-')) : dtp.at(3);
  const auto date = [&] { return value(dtp, 3, iso_date(first)); };
  if (!in_line_) institutional_.take(dtp);
  if (dtp.at(1) == "434") date();  // checks its characters
  if (dtp.at(1) != "472") return;
  if (const auto serviced = date(); service_date_.empty() || serviced < service_date_) service_date_ = serviced;
}

void Claim::take_of_other_payer(const Segment& segment) {
  auto& payer = other_payers_.back();
  if (segment.id() == "AMT" && segment.at(1) == "D") payer.cents = payer.cents.value_or(0) + cents(segment, 2);
  if (segment.id() == "NM1" && segment.at(1) == "PR") payer.id = segment.at(9);
}

/// Finds the payer by the id of 2330B. An id that no other payer has adds a payer.
void Claim::take_line_payment(const Segment& svd) {
  auto payer = std::find_if(other_payers_.begin(), other_payers_.end(),
                            [&](const OtherPayer& other) { return other.id == svd.at(1); });
  if (payer == other_payers_.end() && other_payers_.size() == 1) payer = other_payers_.begin();
  if (payer == other_payers_.end()) {
    if (other_payers_.size() == kMostOtherPayers)
      return spoil(svd, "the claim has more than 10 other payers", {kTooManyLoops});
    payer = other_payers_.insert(payer, {0, std::string(svd.at(1)), {}, {}});
  }
  payer->by_line = payer->by_line.value_or(0) + cents(svd, 2);
}

/// An amount that another payer paid. An unreadable amount invalidates the claim, because the rest is then unknown.
std::int64_t Claim::cents(const Segment& segment, std::size_t position) {
  const auto amount = tideover::sdk::parse_cents(segment.at(position));
  if (!amount)
    spoil(segment, std::string(segment.id()) + "0" + std::to_string(position) + " is not an amount",
          {kElements, "6", position});
  return amount.value_or(0);
}

/// The larger of each payer's amounts for the claim and for its lines. None when an earlier payer has neither, because
/// the sum would lack it.
std::optional<std::int64_t> Claim::paid_by_others() const {
  const int own = rank_of(above_.sequence);
  std::optional<std::int64_t> paid;
  for (const auto& payer : other_payers_) {
    const bool is_known = payer.cents || payer.by_line;
    if (!is_known && payer.rank > 0 && payer.rank < own) return std::nullopt;
    if (is_known)
      paid = paid.value_or(0) + std::max<std::int64_t>({payer.cents.value_or(0), payer.by_line.value_or(0), 0});
  }
  return paid ? std::optional(std::min(*paid, tideover::sdk::kLargestCents)) : std::nullopt;
}

/// CLM07 C for Medicare: Medicare pays the patient. Otherwise CLM08 names the payee.
void Claim::add_coordination() {
  const int rank = rank_of(above_.sequence);
  const bool is_medicare = above_.filing == "MA" || above_.filing == "MB";
  const bool is_refused = benefits_assigned_ == "N" || benefits_assigned_ == "W" || accepts_assignment_ == "P" ||
                          (is_medicare && accepts_assignment_ == "C");
  if (rank > 0) add("payer_sequence", rank == 1 ? "primary" : rank == 2 ? "secondary" : "tertiary");
  if (const auto paid = paid_by_others()) add("paid_by_others", x12::dollars(*paid));
  if (patient_paid_) add("patient_paid", x12::dollars(std::max<std::int64_t>(*patient_paid_, 0)));
  if (is_refused || benefits_assigned_ == "Y") add("benefits_assigned", is_refused ? "false" : "true");
  if (accepts_assignment_ == "A" || accepts_assignment_ == "C")
    add("accepts_assignment", accepts_assignment_ == "A" ? "true" : "false");
  if (above_.is_encounter) add("is_encounter", "true");
  if (above_.is_test) add("is_test", "true");
  if (above_.is_subrogation || above_.has_pay_to_plan) add("pay_to_plan", "true");
}

tideover::sdk::Record Claim::finish() {
  const auto& statement = institutional_.statement_from();
  const bool is_institutional = institutional_.is_institutional();
  const auto& serviced = service_date_.empty() || (is_institutional && !statement.empty()) ? statement : service_date_;
  auto servicer = rendering_npi_;
  if (servicer.empty() && is_institutional) servicer = institutional_.attending_npi();
  add("claim_identifier", claim_identifier_);
  add("chart_identifier", chart_identifier_.empty() ? claim_identifier_ : chart_identifier_);
  add("servicer_npi", servicer.empty() ? above_.billing_npi : servicer);
  add("billing_npi", above_.billing_npi);
  add("patient_primary_payor_id", above_.payer_id);
  add("submitted_amount", amount_);
  add("currency", above_.currency);
  add("facility", facility_);
  add("date_of_service", serviced);
  // A submission date before the date of service is wrong, so it is omitted.
  if (above_.submitted_date >= serviced) add("date_of_submission", above_.submitted_date);
  add("place_of_service", place_of_service_);
  add("claim_frequency_code", frequency_code_);
  if (is_authorized_) add("prior_authorization", "true");
  add_coordination();
  for (std::size_t i = 0; i < diagnoses_.size(); ++i)
    add(("diagnosis_codes[" + std::to_string(i) + "]").c_str(), diagnoses_[i]);
  institutional_.add_to(record_.fields);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const std::string at = "service_lines[" + std::to_string(i) + "].";
    add((at + "cpt").c_str(), lines_[i].procedure);
    add((at + "modifier").c_str(), lines_[i].modifiers);
    add((at + "units").c_str(), lines_[i].units);
    add((at + "amount").c_str(), lines_[i].amount);
    add((at + "revenue_code").c_str(), lines_[i].revenue_code);
  }
  if (!record_.fault.empty()) record_.fields.clear();
  return std::move(record_);
}

void Claim::add(const char* field, const std::string& text) {
  if (!text.empty()) record_.fields.emplace_back(field, text);
}

/// Values must be short printable ASCII; other values invalidate the claim.
std::string Claim::value(const Segment& segment, std::size_t position, std::string_view text) {
  const bool is_fit = text.size() <= kLongestValue && x12::is_printable(text);
  if (!is_fit)
    spoil(segment,
          std::string(segment.id()) + (position < 10 ? "0" : "") + std::to_string(position) +
              (text.size() > kLongestValue ? " is longer than 80 characters" : " has bytes other than printable ASCII"),
          {kElements, text.size() > kLongestValue ? "5" : "6", position});
  return is_fit ? std::string(text) : std::string();
}

/// Only the first problem counts.
void Claim::spoil(const Segment& segment, const std::string& problem, const FaultCode& code) {
  if (!record_.fault.empty()) return;
  record_.fault = x12::message_at(segment, problem);
  fault_ = ClaimFault{segment.position(), is_other_payer_ ? "2320" : in_line_ ? "2400" : "2300",
                      code.segment,       code.at,
                      code.element,       claim_identifier_};
}

}  // namespace x12_837
