// From the texts that a client sent to a ClaimDraft: shape, bounds and normal forms of core/docs/contract.md#formats,
// for one request and for one row of an import alike. Every fault is reported at once.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/result.hpp"
#include "core/domain/claims/claim.hpp"

namespace tideover::domain {

struct ServiceLineInput {
  std::optional<std::string> cpt, modifier, units, amount, currency;
};

/// Numbers are their raw text. A reader that meets a value of the wrong type leaves it out and adds a fault.
struct ClaimInput {
  std::optional<std::string> facility, claim_identifier, chart_identifier, date_of_service, date_of_submission,
      servicer_npi, billing_npi, payer_id, submitted_amount, place_of_service, patient_age_band, patient_sex,
      prior_authorization, claim_frequency_code, payer_sequence, paid_by_others, patient_paid, benefits_assigned,
      accepts_assignment, is_encounter, is_test, pay_to_plan, currency;
  std::vector<std::optional<std::string>> diagnosis_codes;
  std::optional<std::string> diagnosis_list;  // the codes in one text, as a flat file has them
  std::vector<ServiceLineInput> service_lines;
  std::vector<FieldFault> faults;

  /// Where the text at `path` of the review request ("servicer_npi", "service_lines[2].units") belongs; nullptr when
  /// the request has no such path.
  std::optional<std::string>* at(std::string_view path);
};

/// Names of the request's fields, top level first, then those of a service line.
const std::vector<std::string_view>& claim_field_names();
const std::vector<std::string_view>& service_line_field_names();

inline constexpr std::size_t kMaxServiceLines = 50;    // 837P
inline constexpr std::size_t kMaxDiagnosisCodes = 12;  // 837P

Result<ClaimDraft> accept_claim(const ClaimInput& input, Date today);

}  // namespace tideover::domain
