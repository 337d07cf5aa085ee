#include "claim_rows/mapping.hpp"

#include <algorithm>

namespace claim_rows {
namespace {

namespace sdk = tideover::sdk;

constexpr std::array<std::string_view, 36> kOptionalFields{"claim_type",
                                                           "facility",
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
                                                           "currency",
                                                           "type_of_bill",
                                                           "statement_from",
                                                           "statement_through",
                                                           "admission_date",
                                                           "discharge_date",
                                                           "admission_type",
                                                           "admission_source",
                                                           "patient_status",
                                                           "attending_npi",
                                                           "operating_npi",
                                                           "drg",
                                                           "present_on_admission",
                                                           "condition_codes",
                                                           "occurrence_codes",
                                                           "occurrence_spans",
                                                           "value_codes"};
constexpr std::string_view kLines = "service_lines", kCurrency = "currency";

/// Lists of institutional claims: list and members.
struct CodeList {
  std::string_view name;
  std::array<std::string_view, 3> members;
};
constexpr std::array<CodeList, 3> kCodeLists{{{"occurrence_codes", {"code", "date", ""}},
                                              {"occurrence_spans", {"code", "from", "through"}},
                                              {"value_codes", {"code", "amount", ""}}}};

template <class Names>
bool holds(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

namespace {

/// The list and the member of "service_lines[0].cpt"; empty for another name.
struct Nested {
  std::string_view list, member;
};
Nested nested(std::string_view name) {
  const std::size_t open = name.find('['), close = name.find("].");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  const auto index = name.substr(open + 1, close - open - 1);
  const bool is_number = !index.empty() && index.size() <= 3 &&
                         std::all_of(index.begin(), index.end(), [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? Nested{name.substr(0, open), name.substr(close + 2)} : Nested{};
}

bool is_member_of_code(const Nested& field) {
  return !field.member.empty() && std::any_of(kCodeLists.begin(), kCodeLists.end(), [&](const CodeList& list) {
    return list.name == field.list && holds(list.members, field.member);
  });
}

}  // namespace

bool is_nested_line_field(std::string_view name) {
  const auto field = nested(name);
  return field.list == kLines && (holds(kLineFields, field.member) || field.member == kCurrency);
}

bool is_service_field(std::string_view name) {
  return holds(kRequiredFields, name) || holds(kOptionalFields, name) || holds(kLineFields, name) ||
         is_nested_line_field(name) || is_member_of_code(nested(name));
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
