#include "core/usecases/matching/alike_advances.hpp"

#include <algorithm>
#include <set>

#include "core/domain/claims/claim_number.hpp"
#include "core/usecases/matching/match_payments.hpp"

namespace tideover::usecases {
namespace {

using domain::Money;
using domain::RemittanceClaim;
namespace mismatch = domain::mismatch;

constexpr std::size_t kMostAnswers = 1000;
constexpr std::size_t kMostDays = 31;
constexpr int kDaysOfUndated = 365;
/// Beside what a remittance answers itself.
constexpr std::size_t kMostPassedOver = 1000;

bool dates_agree(const std::vector<domain::Date>& dates, const std::optional<domain::Date>& day) {
  return dates.empty() || !day || std::find(dates.begin(), dates.end(), *day) != dates.end();
}

/// Collects candidates without duplicates.
class Alike {
 public:
  explicit Alike(const AlikeSearch& search) : search_(search), dates_(service_dates(search.paid)) {}

  /// Adds advances of the same or an unknown payer. Under another payer, charge and date must agree, and the claim must
  /// be paid as primary (CLP02).
  void by_number(const std::vector<ports::AdvanceAlike>& advances, const char* reason) {
    const auto& payer = search_.remittance.payer_id;
    for (const auto& advance : advances) {
      const bool is_of_payer = payer.empty() || payer == advance.payer_id;
      if (is_of_payer || (fits(advance) && !domain::is_behind_another_payer(search_.paid.status))) add(advance, reason);
    }
  }
  void by_charge(const std::vector<ports::AdvanceAlike>& advances) {
    for (const auto& advance : advances)
      if (fits(advance) && !search_.answered.contains(advance.settlement)) add(advance, mismatch::kChargeAndDate);
  }
  /// Each service date by itself: a range from the first to the last date could contain many other advances.
  std::vector<std::optional<domain::DateRange>> days() const {
    std::vector<std::optional<domain::DateRange>> days;
    for (const auto date : std::set<domain::Date>(dates_.begin(), dates_.end()))
      if (days.size() < kMostDays) days.emplace_back(domain::DateRange{date, date});
    if (days.empty()) days.emplace_back(std::nullopt);
    return days;
  }
  std::vector<AlikeAdvance> take() {
    if (found_.size() > kMostAlike) found_.resize(kMostAlike);
    return std::move(found_);
  }

 private:
  bool fits(const ports::AdvanceAlike& advance) const {
    return charge_of(search_.paid) == advance.charge && dates_agree(dates_, advance.date_of_service);
  }
  void add(const ports::AdvanceAlike& advance, const char* reason) {
    if (advance.settlement == search_.except) return;
    const auto known = std::find_if(found_.begin(), found_.end(),
                                    [&](const auto& one) { return one.settlement == advance.settlement; });
    auto& reasons =
        known == found_.end() ? found_.emplace_back(AlikeAdvance{advance.settlement, {}}).reasons : known->reasons;
    if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) reasons.emplace_back(reason);
  }

  const AlikeSearch& search_;
  const std::vector<domain::Date> dates_;
  std::vector<AlikeAdvance> found_;
};

/// The answer pays, denies or decides on the claim, and takes nothing back.
bool is_answer(const ports::AnswerAlike& answer) {
  if (answer.paid > Money{}) return true;
  const auto status = domain::claim_status_of_clp02(answer.status);
  return status && status != domain::ClaimStatus::reversed && answer.paid.is_zero();
}

/// The number is exactly that of another known claim for another visit, and the answer fits that claim.
bool is_of_another_claim(const ports::Records& records, const domain::TenantId& tenant,
                         const ports::AnswerAlike& answer) {
  const auto other = records.claims().find(tenant, answer.claim_identifier);
  if (!other || has_visit_of_another(records, tenant, other->claim)) return false;
  domain::RemittanceDraft draft;
  draft.payer_id = answer.payer_id;
  RemittanceClaim paid;
  paid.charge_amount = answer.charge;
  paid.date_of_service = answer.date_of_service;
  return differences(draft, paid, other->claim.draft).empty();
}

}  // namespace

bool has_visit_of_another(const ports::Records& records, const domain::TenantId& tenant, const domain::Claim& claim) {
  return claim.draft.date_of_service && records.claims().count_duplicates(tenant, claim) > 0;
}

std::vector<AlikeAdvance> alike_advances(const ports::Records& records, const domain::TenantId& tenant,
                                         const AlikeSearch& search) {
  Alike alike(search);
  const auto& paid = search.paid;
  const auto number = domain::normal_number(paid.claim_identifier),
             payers_number = domain::normal_number(paid.payer_claim_number);
  const auto& payer = search.remittance.payer_id;
  const auto numbered = [&](const std::string& form) {
    return records.alike().advances_numbered(tenant, form, payer, charge_of(paid), kMostAlike);
  };
  // Charge and date go first: many advances with one truncated number would fill the list otherwise.
  if (!search.is_of_known_claim)
    for (const auto& days : alike.days())
      alike.by_charge(records.alike().advances_billed(tenant, payer, charge_of(paid), days,
                                                      kMostAlike + std::min(search.answered.size(), kMostPassedOver)));
  if (!number.empty()) alike.by_number(numbered(number), mismatch::kNumberForm);
  // The payer's number of a known claim may happen to be the number of another one.
  if (!payers_number.empty() && !search.is_of_known_claim) {
    alike.by_number(numbered(payers_number), mismatch::kNumberForm);
    alike.by_number(records.alike().advances_known_as(tenant, payers_number, kMostAlike), mismatch::kPayersNumber);
  }
  return alike.take();
}

std::vector<domain::RemittanceId> alike_answers(const ports::Records& records, const domain::TenantId& tenant,
                                                const domain::ClaimDraft& claim, domain::Date today,
                                                bool released_too) {
  const auto is_of_payer = [&](const ports::AnswerAlike& answer) {
    return answer.payer_id.empty() || answer.payer_id == claim.payer_id;
  };
  const auto own_number = domain::normal_number(claim.claim_identifier);
  const auto is_own = [&](const ports::AnswerAlike& answer) {
    return answer.claim_identifier == claim.claim_identifier;
  };
  // A remittance may name any day of the statement of an institutional claim.
  const auto days = service_days(claim);
  // Many claims may share a truncated number, so charge or service date must agree as well.
  const auto may_be_cut_of_it = [&](const ports::AnswerAlike& answer) {
    const auto& day = answer.date_of_service;
    return domain::normal_number(answer.claim_identifier) == own_number || answer.charge == claim.submitted_amount ||
           (day && days && days->from <= *day && *day <= days->to);
  };
  std::vector<ports::AnswerAlike> answers;
  const auto stated = claim.date_of_service ? claim.date_of_service : claim.date_of_submission;
  const auto since = stated.value_or(today.plus(-kDaysOfUndated));
  // Under its own number a denial counts only when its payer is unknown and the charge agrees: a denied claim is
  // corrected and sent again.
  const auto may_decide_on_it = [&](const ports::AnswerAlike& answer) {
    return !is_own(answer) || answer.paid > Money{} ||
           (answer.payer_id.empty() && answer.charge == claim.submitted_amount);
  };
  for (auto& answer :
       records.alike().answers_numbered(tenant, domain::normal_forms(claim.claim_identifier), since, kMostAnswers))
    if (is_of_payer(answer) && is_answer(answer) && may_be_cut_of_it(answer) && may_decide_on_it(answer))
      answers.push_back(std::move(answer));
  auto charged =
      records.alike().answers_charged(tenant, claim.payer_id, claim.submitted_amount, days, since, kMostAnswers);
  const bool may_have_more = charged.size() >= kMostAnswers;  // then a reviewer looks
  for (auto& answer : charged)
    if (is_answer(answer) && !is_own(answer) && (may_have_more || !is_of_another_claim(records, tenant, answer)))
      answers.push_back(std::move(answer));

  std::set<domain::RemittanceId> found;
  for (const auto& answer : answers) {
    if (found.contains(answer.remittance)) continue;
    if (!released_too) {
      const auto remittance = records.remittances().find(tenant, answer.remittance);
      if (!remittance || released_claims(records, tenant, *remittance).contains(answer.claim)) continue;
    }
    found.insert(answer.remittance);
  }
  return {found.begin(), found.end()};
}

std::optional<domain::Error> refusal_of_alike(const ports::Records& records, const domain::TenantId& tenant,
                                              const domain::Settlement& settlement,
                                              const std::optional<ports::StoredClaim>& claim, domain::Date today) {
  if (!claim) return std::nullopt;
  const auto& seen = settlement.decision_reasons;
  for (const auto& answer : alike_answers(records, tenant, as_advanced(claim->claim.draft, settlement), today, false))
    if (std::find(seen.begin(), seen.end(), std::string(kMayBeAnsweredBy) + answer.text()) == seen.end())
      return domain::Error::of(
                 domain::ErrorCode::invalid_state,
                 "A remittance may have answered this claim under another claim number. Decide on its task, "
                 "or cancel the settlement, review the claim and adjudicate again for a manual review.")
          .with("settlement_id", settlement.id.text())
          .with("remittance_id", answer.text());
  return std::nullopt;
}

}  // namespace tideover::usecases
