#include "core/usecases/matching/numbered_advances.hpp"

#include <algorithm>
#include <set>

#include "core/domain/claims/claim_number.hpp"
#include "core/domain/reconciliation/answer.hpp"

namespace tideover::usecases {
namespace {

namespace mismatch = domain::mismatch;

/// More advances than this with one number in another form prove nothing.
constexpr std::size_t kMostNumbered = 20;

/// Collects advances without duplicates.
class Numbered {
 public:
  Numbered(const ports::Records& records, const domain::TenantId& tenant, const domain::RemittanceDraft& remittance,
           const domain::RemittanceClaim& paid)
      : records_(records), tenant_(tenant), remittance_(remittance), paid_(paid) {}

  void by_claim_number() {
    if (auto claim = records_.claims().find(tenant_, paid_.claim_identifier))
      if (auto live = records_.settlements().live_of(tenant_, claim->claim.id))
        add(std::move(live->settlement)).is_exact = true;
    if (const auto number = domain::normal_number(paid_.claim_identifier); !number.empty())
      add(records_.alike().advances_numbered(tenant_, number, remittance_.payer_id, charge_of(paid_), kMostNumbered),
          false);
  }
  void by_payers_number() {
    if (const auto number = domain::normal_number(paid_.payer_claim_number); !number.empty())
      add(records_.alike().advances_known_as(tenant_, number, kMostNumbered), true);
  }
  bool has_fitting() const {
    return std::any_of(found_.begin(), found_.end(), [](const auto& advance) { return advance.reasons.empty(); });
  }
  std::vector<NumberedAdvance> take() { return std::move(found_); }

 private:
  NumberedAdvance& add(domain::Settlement settlement) {
    domain::ClaimDraft number_only;
    number_only.claim_identifier = settlement.claim_identifier;
    auto claim = as_advanced(std::move(number_only), settlement);
    auto reasons = contradictions(records_, tenant_, remittance_, paid_, claim);
    return found_.emplace_back(NumberedAdvance{std::move(settlement), std::move(claim), std::move(reasons)});
  }
  void add(const std::vector<ports::AdvanceAlike>& advances, bool is_by_payers_number) {
    // With a full list, further advances may have the number: none of these is certain.
    const bool is_cut_off = advances.size() >= kMostNumbered;
    for (const auto& advance : advances) {
      if (std::any_of(found_.begin(), found_.end(),
                      [&](const auto& known) { return known.settlement.id == advance.settlement; }))
        continue;
      auto stored = records_.settlements().find(tenant_, advance.settlement);
      if (!stored) continue;
      // The stored forms take look-alikes (O, 0) for the same character. That is a question for a reviewer.
      if (!is_by_payers_number && !domain::may_return_as(stored->settlement.claim_identifier, paid_.claim_identifier))
        continue;
      auto& added = add(std::move(stored->settlement));
      added.is_by_payers_number = is_by_payers_number;
      if (is_cut_off) added.reasons.emplace_back(mismatch::kTooMany);
    }
  }

  const ports::Records& records_;
  const domain::TenantId& tenant_;
  const domain::RemittanceDraft& remittance_;
  const domain::RemittanceClaim& paid_;
  std::vector<NumberedAdvance> found_;
};

/// The payer of the one claim that `paid` can only mean; nullopt: none, or several.
std::optional<std::string> payer_of(const ports::Records& records, const domain::TenantId& tenant,
                                    domain::RemittanceDraft& named, const domain::RemittanceClaim& paid) {
  using Kind = domain::AnswerKind;
  const auto answer = domain::answer_of(paid).kind;
  const bool decides = answer == Kind::processed || answer == Kind::denied || answer == Kind::taken_back;
  if (!decides || domain::is_behind_another_payer(paid.status)) return std::nullopt;
  std::vector<domain::ClaimDraft> claims;
  std::set<std::string> numbers;
  if (auto known = records.claims().find(tenant, paid.claim_identifier)) {
    const auto live = records.settlements().live_of(tenant, known->claim.id);
    claims.push_back(live ? as_advanced(known->claim.draft, live->settlement) : known->claim.draft);
    numbers.insert(known->claim.draft.claim_identifier);
  }
  named.payer_id.clear();
  for (auto& advance : numbered_advances(records, tenant, named, paid)) {
    if (advance.reasons.back() == mismatch::kTooMany) return std::nullopt;
    if (numbers.insert(advance.claim.claim_identifier).second) claims.push_back(std::move(advance.claim));
  }
  std::vector<const domain::ClaimDraft*> whole, part;
  for (const auto& claim : claims) {
    named.payer_id = claim.payer_id;  // every payer is possible, so that it contradicts nothing
    if (!contradictions(records, tenant, named, paid, claim).empty()) continue;
    (charge_of(paid) == claim.submitted_amount ? whole : part).push_back(&claim);
  }
  const auto& fit = whole.empty() ? part : whole;
  return fit.size() == 1 ? std::optional(fit.front()->payer_id) : std::nullopt;
}

}  // namespace

domain::MatchReasons contradictions(const ports::Records& records, const domain::TenantId& tenant,
                                    const domain::RemittanceDraft& remittance, const domain::RemittanceClaim& paid,
                                    const domain::ClaimDraft& claim) {
  auto reasons = differences(remittance, paid, claim);
  const auto& npi = paid.billing_npi.empty() ? remittance.payee_npi : paid.billing_npi;
  if (!npi.empty() && !claim.billing_npi.empty() && npi != claim.billing_npi &&
      records.settlements().has_advanced_provider(tenant, npi))
    reasons.emplace_back(mismatch::kPayee);
  return reasons;
}

std::vector<NumberedAdvance> numbered_advances(const ports::Records& records, const domain::TenantId& tenant,
                                               const domain::RemittanceDraft& remittance,
                                               const domain::RemittanceClaim& paid) {
  Numbered numbered(records, tenant, remittance, paid);
  numbered.by_claim_number();
  if (!numbered.has_fitting()) numbered.by_payers_number();
  return numbered.take();
}

std::vector<const NumberedAdvance*> fitting(const std::vector<NumberedAdvance>& advances, domain::Money charge) {
  std::vector<const NumberedAdvance*> whole, part;
  for (const auto& advance : advances)
    if (advance.reasons.empty()) (advance.claim.submitted_amount == charge ? whole : part).push_back(&advance);
  return whole.empty() ? part : whole;
}

ClaimsPayers payers_of_claims(const ports::Records& records, const domain::TenantId& tenant,
                              const domain::RemittanceDraft& remittance) {
  ClaimsPayers found;
  domain::RemittanceDraft named;
  named.payee_npi = remittance.payee_npi;
  std::set<std::string> payers;
  found.are_all_certain = !remittance.claims.empty();
  for (const auto& paid : remittance.claims) {
    auto payer = payer_of(records, tenant, named, paid);
    if (payer)
      payers.insert(std::move(*payer));
    else
      found.are_all_certain = false;
  }
  found.payers.assign(payers.begin(), payers.end());
  return found;
}

}  // namespace tideover::usecases
