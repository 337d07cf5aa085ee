// The service's field names of a claim, and the client's mapping of fields to the headers of a file
// (api/imports/README.md). Immutable after construction.
#pragma once
#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "tideover/import_format.hpp"

namespace claim_rows {

inline constexpr std::array<std::string_view, 6> kRequiredFields{
    "claim_identifier", "chart_identifier",         "servicer_npi",
    "billing_npi",      "patient_primary_payor_id", "submitted_amount"};
/// Columns of a flat file that describe one service line per row.
inline constexpr std::array<std::string_view, 5> kLineFields{"cpt", "modifier", "units", "amount", "revenue_code"};

/// A field of the review request, one of kLineFields, or a member of a list: "service_lines[0].cpt",
/// "value_codes[1].amount" and the like.
bool is_service_field(std::string_view name);
bool is_nested_line_field(std::string_view name);

class Mapping {
 public:
  /// `given`: service field -> header. It is inverted when all its keys are unknown and all its values are service
  /// fields. Throws Fault(INVALID_MAPPING) with every unknown name.
  explicit Mapping(const tideover::sdk::Pairs& given, bool (*is_known)(std::string_view) = is_service_field);

  /// The service field of a header; the header itself when no field maps to it. Valid as long as `header` and this
  /// object.
  std::string_view field_of(std::string_view header) const;
  /// The expected header of `field`.
  std::string header_of(std::string_view field) const;
  const std::map<std::string, std::string, std::less<>>& fields_by_header() const { return field_by_header_; }

 private:
  std::map<std::string, std::string, std::less<>> field_by_header_;
};

/// "a, b, c"
std::string join(const std::vector<std::string>& names);

}  // namespace claim_rows
