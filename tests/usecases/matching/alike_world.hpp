// A world in which payments name claims by other forms of their numbers, and a table of such forms.
#pragma once
#include <string>
#include <vector>

#include "tests/usecases/matching/proposal_world.hpp"

namespace tideover::tests {

struct AlikeWorld : ProposalWorld {
  using ProposalWorld::ProposalWorld;

  domain::Money credited() { return -balance(domain::account::provider_payable(caller.tenant)); }
  domain::Money in_suspense() { return -balance("suspense_unmatched"); }
  /// A payment of one claim: its deposit and its remittance.
  void pays(const PaidClaim& paid, const std::string& payer = "PAYER") {
    arrives(Cash{"D1", paid.paid, "T1", 0, payer});
    arrives(Remittance{"N1", "T1", {paid}, 0, payer});
  }
  domain::Result<usecases::StoredResponse> approve(const domain::SettlementId& id) {
    for (const auto& task : tasks("manual_review"))
      if (task.object_id == id.text()) return decide(task.id.text(), "approve");
    return domain::Error::of(domain::ErrorCode::not_found, "no manual review is open");
  }
};

/// A claim number as it was advanced, and a payment that names the claim by another form of it.
struct Form {
  const char* what;
  const char* advanced;
  PaidClaim paid;
  bool is_certain = false;  // the number agrees and nothing contradicts: posted without a reviewer
};

inline PaidClaim undated(const char* number) {
  return {number, 79'000};
}
inline PaidClaim dated(const char* number) {
  return {number, 79'000, 100'000, 0};
}

inline const std::vector<Form> kForms{
    {"truncated at 20", "CLINIC-7-VISIT-2026-000123", dated("CLINIC-7-VISIT-2026-"), true},
    {"truncated at 17", "CLINIC-7-VISIT-2026-000123", undated("CLINIC-7-VISIT-20"), true},
    {"separators dropped, then truncated", "CLINIC-7-VISIT-2026-000123", undated("clinic7visit20260001"), true},
    {"truncated, of another charge and day",
     "3f2b8c1e-7d44-4a09-9c1f-0be5a2d71c33",
     {"3F2B8C1E-7D44-4A09-9", 50'000, 60'000, -9}},
    {"lower case", "CLMA-X", undated("clma-x"), true},
    {"no separators", "CLMB-X", dated("CLMBX"), true},
    {"a bare zero", "CLMC-X", dated("0")},
    {"a bare zero without a service date", "CLMC-X", undated("0")},
    {"leading zeros dropped", "00012005744", undated("12005744"), true},
    {"leading zeros added", "12005744", undated("00012005744"), true},
    {"a trailing blank", "CLMD-X", undated("CLMD-X "), true},
    {"a blank inside", "CLMD-X", undated("CLM D-X"), true},
    {"a control byte that became ?", "CLMD-X", undated("CLM?D-X"), true},
    {"a character that became ?", "CLMD-X", dated("CL?D-X")},
    {"the letter O", "CLM-1005", undated("CLM-1OO5")},
    {"the letter l", "CLM-1005", undated("CLM-l005")},
    {"scientific notation", "212345678901", dated("2.12345E+11")},
    {"only charge and service date", "CLME-X", dated("SOMETHING ELSE")},
    {"a part of the charge", "CLMF-X", {"clmf-x", 40'000, 50'000}, true},
    {"the payer pays as the secondary payer", "CLMG-X", {"clmg-x", 79'000, 100'000, std::nullopt, "2"}, true},
};

}  // namespace tideover::tests
