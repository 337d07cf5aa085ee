// Converts the texts of a client into a ClaimDraft, for a request and for a row of an import: shape, limits and normal
// forms (core/docs/contract.md#formats). Reports all faults at once.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/result.hpp"
#include "core/domain/claims/claim.hpp"
#include "core/domain/claims/institutional_input.hpp"

namespace tideover::domain {

struct ServiceLineInput {
  InputText cpt, modifier, units, amount, currency, revenue_code;
};

/// Numbers are given as raw text. A reader that finds a value of the wrong type omits it and adds a fault.
struct ClaimInput {
  InputText claim_type, facility, claim_identifier, chart_identifier, date_of_service, date_of_submission, servicer_npi,
      billing_npi, payer_id, submitted_amount, place_of_service, patient_age_band, patient_sex, prior_authorization,
      claim_frequency_code, payer_sequence, paid_by_others, patient_paid, benefits_assigned, accepts_assignment,
      is_encounter, is_test, pay_to_plan, currency;
  std::vector<InputText> diagnosis_codes;
  InputText diagnosis_list;  // all codes in one text, as in flat files
  std::vector<ServiceLineInput> service_lines;
  InstitutionalInput institutional;
  std::vector<FieldFault> faults;

  /// The member for the `path` of the review request ("servicer_npi", "service_lines[2].units"); nullptr for an unknown
  /// path.
  InputText* at(std::string_view path);
};

inline constexpr std::size_t kMaxServiceLines = 50;            // 837P
inline constexpr std::size_t kMaxInstitutionalLines = 999;     // 837I
inline constexpr std::size_t kMaxDiagnosisCodes = 12;          // 837P
inline constexpr std::size_t kMaxInstitutionalDiagnoses = 25;  // 837I: the principal one and 24 others

ClaimType type_of(const InputText& claim_type);
/// The limit for claims of this type, and the fault of a claim beyond it.
std::size_t max_service_lines(const InputText& claim_type);
std::string too_many_lines(const InputText& claim_type);

Result<ClaimDraft> accept_claim(const ClaimInput& input, Date today);

}  // namespace tideover::domain
