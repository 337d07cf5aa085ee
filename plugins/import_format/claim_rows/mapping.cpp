#include "claim_rows/mapping.hpp"

#include <algorithm>

namespace claim_rows {
namespace {

namespace sdk = tideover::sdk;

constexpr std::array<std::string_view, 19> kOptionalFields{"facility",
                                                           "date_of_service",
                                                           "date_of_submission",
                                                           "service_lines",
                                                           "diagnosis_codes",
                                                           "place_of_service",
                                                           "patient_age_band",
                                                           "patient_sex",
                                                           "prior_authorization",
                                                           "claim_frequency_code",
                                                           "payer_sequence",
                                                           "paid_by_others",
                                                           "patient_paid",
                                                           "benefits_assigned",
                                                           "accepts_assignment",
                                                           "is_encounter",
                                                           "is_test",
                                                           "pay_to_plan",
                                                           "currency"};
constexpr std::string_view kLines = "service_lines[", kCurrency = "currency";

template <class Names>
bool holds(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool is_nested_line_field(std::string_view name) {
  if (name.substr(0, kLines.size()) != kLines) return false;
  const std::size_t close = name.find("].", kLines.size());
  if (close == std::string_view::npos) return false;
  const auto index = name.substr(kLines.size(), close - kLines.size());
  const bool is_number = !index.empty() && index.size() <= 3 &&
                         std::all_of(index.begin(), index.end(), [](char c) { return c >= '0' && c <= '9'; });
  return is_number && (holds(kLineFields, name.substr(close + 2)) || name.substr(close + 2) == kCurrency);
}

bool is_service_field(std::string_view name) {
  return holds(kRequiredFields, name) || holds(kOptionalFields, name) || holds(kLineFields, name) ||
         is_nested_line_field(name);
}

Mapping::Mapping(const sdk::Pairs& given, bool (*is_known)(std::string_view)) {
  const bool inverted = !given.empty() && std::all_of(given.begin(), given.end(), [&](const auto& pair) {
    return !is_known(pair.first) && is_known(pair.second);
  });
  std::vector<std::string> unknown, twice;
  for (const auto& pair : given) {
    const std::string& field = inverted ? pair.second : pair.first;
    const std::string& header = inverted ? pair.first : pair.second;
    if (!is_known(field)) unknown.push_back(field);
    const bool is_taken = std::any_of(field_by_header_.begin(), field_by_header_.end(),
                                      [&](const auto& taken) { return taken.second == field; });
    if (header.empty() || is_taken || !field_by_header_.emplace(header, field).second) twice.push_back(field);
  }
  if (!unknown.empty()) {
    sdk::Fault fault(TIDEOVER_FAULT_INVALID_MAPPING,
                     "the mapping has unknown fields: " + join(unknown) +
                         "; its keys are service fields, its values the headers of the file");
    for (const auto& name : unknown) fault = std::move(fault).with("unknown[]", name);
    throw fault;
  }
  if (!twice.empty()) {
    sdk::Fault fault(TIDEOVER_FAULT_INVALID_MAPPING,
                     "each field must have its own header, which is not empty; check: " + join(twice));
    for (const auto& name : twice) fault = std::move(fault).with("ambiguous[]", name);
    throw fault;
  }
}

std::string_view Mapping::field_of(std::string_view header) const {
  const auto found = field_by_header_.find(header);
  return found == field_by_header_.end() ? header : std::string_view(found->second);
}

std::string Mapping::header_of(std::string_view field) const {
  for (const auto& [header, mapped] : field_by_header_)
    if (mapped == field) return header;
  return std::string(field);
}

std::string join(const std::vector<std::string>& names) {
  std::string joined;
  for (const auto& name : names) joined += (joined.empty() ? "" : ", ") + name;
  return joined;
}

}  // namespace claim_rows
