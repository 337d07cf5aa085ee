#include "institutional.hpp"

#include <algorithm>

#include "claim.hpp"
#include "x12/elements.hpp"

namespace x12_837 {
namespace {

constexpr std::size_t kMostOfKind = 24;  // of each kind; further ones are omitted

bool is_alphanumeric(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return x12::is_digit(c) || (c >= 'A' && c <= 'Z'); });
}
bool is_digits(std::string_view text, std::size_t least, std::size_t most) {
  return text.size() >= least && text.size() <= most && std::all_of(text.begin(), text.end(), x12::is_digit);
}
bool is_code(std::string_view text) {
  return text.size() == 2 && is_alphanumeric(text);
}

/// The component of a composite without blanks; empty when it is absent.
std::string_view component_of(const std::vector<std::string_view>& parts, std::size_t position) {
  return position < parts.size() ? x12::trim(parts[position]) : std::string_view{};
}

/// First and last day of CCYYMMDD-CCYYMMDD, or of one day.
std::pair<std::string, std::string> period_of(std::string_view text) {
  const auto dash = text.find('-');
  return {iso_date(text.substr(0, dash)), iso_date(dash == std::string_view::npos ? text : text.substr(dash + 1))};
}

}  // namespace

std::string iso_date(std::string_view text) {
  constexpr std::size_t kDay = 8, kDayAndTime = 12;
  if ((text.size() != kDay && text.size() != kDayAndTime) || !is_digits(text, kDay, kDayAndTime))
    return std::string(text);
  return std::string(text.substr(0, 4)) + '-' + std::string(text.substr(4, 2)) + '-' + std::string(text.substr(6, 2));
}

void Institutional::take_bill(const std::vector<std::string_view>& facility) {
  is_institutional_ = component_of(facility, 1) == "A";
  const auto kind = component_of(facility, 0), frequency = component_of(facility, 2);
  if (is_digits(kind, 2, 2) && kind[0] != '0' && frequency.size() == 1 && is_alphanumeric(frequency))
    type_of_bill_ = std::string(kind) + std::string(frequency);
}

void Institutional::take(const Segment& segment) {
  const auto id = segment.id();
  if (id == "DTP") {
    take_period(segment);
  } else if (id == "CL1") {
    if (is_digits(segment.at(1), 1, 1)) admission_type_ = segment.at(1);
    if (segment.at(2).size() == 1 && is_alphanumeric(segment.at(2))) admission_source_ = segment.at(2);
    if (is_digits(segment.at(3), 1, 2)) patient_status_ = segment.at(3);
  } else if (id == "NM1" && (segment.at(1) == "71" || segment.at(1) == "72")) {
    const auto npi = npi_of(segment);
    if (is_digits(npi, 10, 10)) (segment.at(1) == "71" ? attending_npi_ : operating_npi_) = npi;
  }
}

void Institutional::take_period(const Segment& dtp) {
  const auto period = period_of(dtp.at(3));
  if (!x12::is_printable(dtp.at(3))) return;
  if (dtp.at(1) == "434") {
    statement_from_ = period.first;
    statement_through_ = period.second;
  } else if (dtp.at(1) == "435") {
    admission_date_ = period.first;
  } else if (dtp.at(1) == "096") {
    has_discharge_hour_ = true;
  }
}

void Institutional::take_code(std::string_view qualifier, const std::vector<std::string_view>& parts) {
  const auto code = component_of(parts, 1);
  const auto keep = [&](std::vector<Coded>& list, std::string first, std::string second = {}) {
    if (is_code(code) && !first.empty() && x12::is_printable(first) && list.size() < kMostOfKind)
      list.push_back({std::string(code), std::move(first), std::move(second)});
  };
  if (qualifier == "DR" && is_digits(code, 3, 4)) drg_ = code;
  if (qualifier == "BG" && is_code(code) && conditions_.size() < kMostOfKind) conditions_.emplace_back(code);
  if (qualifier == "BH") keep(occurrences_, iso_date(component_of(parts, 3)));
  if (qualifier == "BI") {
    auto [from, through] = period_of(component_of(parts, 3));
    keep(spans_, std::move(from), std::move(through));
  }
  if (qualifier == "BE") keep(values_, plain_decimal(component_of(parts, 4)));
}

void Institutional::take_present_on_admission(std::string_view indicator) {
  const bool is_known = indicator.size() == 1 && std::string_view("YNUW1").find(indicator) != std::string_view::npos;
  present_on_admission_.emplace_back(is_known ? indicator : std::string_view{});
}

void Institutional::add_to(tideover::sdk::Pairs& fields) const {
  if (!is_institutional_) return;
  const auto add = [&](const std::string& field, const std::string& text) {
    if (!text.empty()) fields.emplace_back(field, text);
  };
  const auto at = [](const char* list, std::size_t index, const char* member = "") {
    return list + ('[' + std::to_string(index) + ']') + member;
  };
  add("claim_type", "institutional");
  add("type_of_bill", type_of_bill_);
  add("statement_from", statement_from_);
  add("statement_through", statement_through_);
  add("admission_date", admission_date_);
  if (has_discharge_hour_) add("discharge_date", statement_through_);
  add("admission_type", admission_type_);
  add("admission_source", admission_source_);
  add("patient_status", patient_status_);
  add("attending_npi", attending_npi_);
  add("operating_npi", operating_npi_);
  add("drg", drg_);
  for (std::size_t i = 0; i < present_on_admission_.size(); ++i)
    add(at("present_on_admission", i), present_on_admission_[i]);
  for (std::size_t i = 0; i < conditions_.size(); ++i) add(at("condition_codes", i), conditions_[i]);
  const auto add_list = [&](const char* list, const std::vector<Coded>& codes, const char* first, const char* second) {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      add(at(list, i, ".code"), codes[i].code);
      add(at(list, i, first), codes[i].first);
      add(at(list, i, second), codes[i].second);
    }
  };
  add_list("occurrence_codes", occurrences_, ".date", "");
  add_list("occurrence_spans", spans_, ".from", ".through");
  add_list("value_codes", values_, ".amount", "");
}

}  // namespace x12_837
