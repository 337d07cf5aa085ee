// A claim as a billing platform submits it (openapi.yaml: Claim review request).
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/money.hpp"
#include "core/domain/basics/sensitive.hpp"
#include "core/domain/claims/institutional.hpp"

namespace tideover::domain {

struct ServiceLine {
  std::string cpt;                  // repaired; may still violate procedure-code syntax
  std::string modifier;             // normal form "25:59", or as sent when malformed
  std::int64_t units_milli = 1000;  // units x 1000, at most 9 999 999
  std::optional<Money> amount;
  std::string revenue_code{};  // four digits; only of an institutional claim, "" when not given
  friend bool operator==(const ServiceLine&, const ServiceLine&) = default;
};

/// Whole years, both included. 90 and above are one band, so that no age identifies a patient.
struct AgeBand {
  static constexpr int kOldest = 130;
  int from = 0;
  int to = kOldest;
  friend bool operator==(const AgeBand&, const AgeBand&) = default;
};

/// Optional details. None is required; missing ones make the prediction less certain.
struct ClaimDetails {
  std::vector<std::string> diagnosis_codes;  // upper case, without the point; the principal one first
  std::string place_of_service;              // two digits of CMS's list; "" when not given
  std::optional<AgeBand> patient_age;
  std::string patient_sex;  // F, M or U; "" when not given
  std::optional<bool> prior_authorization;
  std::string claim_frequency_code;  // CLM05-3: 1 original, 6 corrected, 7 replacement, 8 void; "" when not given
  std::string
      payer_sequence{};  // SBR01: primary, secondary or tertiary, which stands for later ones too; "" when not given
  std::optional<Money> paid_by_others{};                // AMT*D, SVD02: by payers before this one; not negative
  std::optional<Money> patient_paid{};                  // AMT*F5; not negative
  std::optional<bool> benefits_assigned{};              // CLM08: false: the payer pays the patient
  std::optional<bool> accepts_assignment{};             // CLM07: whether the provider accepts the allowed amount
  std::optional<bool> is_encounter{};                   // BHT06 RP: reported under a capitation, nothing is paid for it
  std::optional<bool> is_test{};                        // ISA15 T
  std::optional<bool> pay_to_plan{};                    // loop 2010AC, BHT06 31: the payer pays another plan
  std::optional<InstitutionalDetails> institutional{};  // of an institutional claim; never of a professional one

  ClaimType type() const { return institutional ? ClaimType::institutional : ClaimType::professional; }
  friend bool operator==(const ClaimDetails&, const ClaimDetails&) = default;
};

/// A claim as sent, with a valid shape and in normal form. Rules check the policy (check digits, timely filing, code
/// syntax).
struct ClaimDraft {
  std::string facility;
  std::string claim_identifier;
  Sensitive<std::string> chart_identifier;
  std::optional<Date> date_of_service;
  std::optional<Date> date_of_submission;
  std::string servicer_npi;
  std::string billing_npi;
  std::string payer_id;  // as sent in patient_primary_payor_id
  Money submitted_amount;
  std::vector<ServiceLine> service_lines;
  ClaimDetails details{};
  friend bool operator==(const ClaimDraft&, const ClaimDraft&) = default;
};

/// The day of service; of an institutional claim the days up to the end of its statement. nullopt without a date.
inline std::optional<DateRange> service_days(const ClaimDraft& claim) {
  if (!claim.date_of_service) return std::nullopt;
  const auto& institutional = claim.details.institutional;
  const auto end = institutional ? institutional->statement_through : std::nullopt;
  return DateRange{*claim.date_of_service, std::max(*claim.date_of_service, end.value_or(*claim.date_of_service))};
}

struct Claim {
  ClaimId id;
  ClaimDraft draft;
  /// Equal for claims that look like the same service billed twice; does not reveal its inputs.
  std::string duplicate_key;
};

}  // namespace tideover::domain
