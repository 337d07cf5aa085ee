// What only the claim of a facility has (UB-04, X12 837I; openapi.yaml: Claim review request). Codes are in normal form
// and not looked up: lists of the payer or of the operator decide what they mean.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/money.hpp"

namespace tideover::domain {

/// Professional claims are those of an 837P, institutional ones those of an 837I.
enum class ClaimType { professional, institutional };
inline std::string_view name_of(ClaimType type) {
  return type == ClaimType::institutional ? "institutional" : "professional";
}

struct OccurrenceCode {
  std::string code;
  Date date;
  friend bool operator==(const OccurrenceCode&, const OccurrenceCode&) = default;
};

struct OccurrenceSpan {
  std::string code;
  Date from, through;
  friend bool operator==(const OccurrenceSpan&, const OccurrenceSpan&) = default;
};

struct ValueCode {
  std::string code;
  Money amount;  // dollars, or a quantity: the code says which
  friend bool operator==(const ValueCode&, const ValueCode&) = default;
};

/// Every text is "" when it was not given.
struct InstitutionalDetails {
  std::string type_of_bill;  // four characters, the first is 0: "0131"
  std::optional<Date> statement_from, statement_through;
  std::optional<Date> admission_date, discharge_date;
  std::string admission_type;    // CL101: one digit
  std::string admission_source;  // CL102: one digit or letter
  std::string patient_status;    // CL103: two digits
  std::string attending_npi, operating_npi;
  std::string drg;                                // three or four digits
  std::vector<std::string> present_on_admission;  // of the diagnoses, in their order: Y, N, U, W, 1 or ""
  std::vector<std::string> condition_codes;
  std::vector<OccurrenceCode> occurrence_codes;
  std::vector<OccurrenceSpan> occurrence_spans;
  std::vector<ValueCode> value_codes;
  friend bool operator==(const InstitutionalDetails&, const InstitutionalDetails&) = default;
};

}  // namespace tideover::domain
