// Converts the texts of a client into the details of an institutional claim: shape, limits and normal forms.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/domain/claims/field_checks.hpp"
#include "core/domain/claims/institutional.hpp"

namespace tideover::domain {

/// An element of a list, or a member of one: "occurrence_codes[2].date" is {"occurrence_codes", 2, "date"}.
struct ListPath {
  std::string_view list;
  std::size_t index;
  std::string_view member;  // "" for the element itself
};
/// nullopt for any other path.
std::optional<ListPath> list_path_of(std::string_view path);

/// The element with this index, which is added; nullptr when the index is above the limit. One more than the limit is
/// kept, so that the intake reports it.
template <class Element>
Element* element_at(std::vector<Element>& list, std::size_t index, std::size_t limit) {
  if (index > limit) return nullptr;
  if (index >= list.size()) list.resize(index + 1);
  return &list[index];
}

/// The fault of such a field in a professional claim.
inline constexpr std::string_view kOnlyInstitutional = "is only for a claim with claim_type institutional";
inline constexpr std::size_t kMaxClaimCodes = 24;  // 837I: condition, occurrence and value codes, of each kind

struct OccurrenceCodeInput {
  InputText code, date;
};
struct OccurrenceSpanInput {
  InputText code, from, through;
};
struct ValueCodeInput {
  InputText code, amount;
};

struct InstitutionalInput {
  InputText type_of_bill, statement_from, statement_through, admission_date, discharge_date, admission_type,
      admission_source, patient_status, attending_npi, operating_npi, drg;
  std::vector<InputText> condition_codes, present_on_admission;
  InputText condition_list, present_on_admission_list;  // all codes in one text, as in flat files
  std::vector<OccurrenceCodeInput> occurrence_codes;
  std::vector<OccurrenceSpanInput> occurrence_spans;
  std::vector<ValueCodeInput> value_codes;

  /// The member for a path of the review request; nullptr for an unknown path.
  InputText* at(std::string_view path);
  InputText* at(const ListPath& path);
};

/// `diagnoses`: the number of diagnosis codes.
InstitutionalDetails accept_institutional(const InstitutionalInput& input, std::size_t diagnoses, FieldChecks& checks);
/// A professional claim has none of these fields.
void refuse_institutional(const InstitutionalInput& input, FieldChecks& checks);

}  // namespace tideover::domain
