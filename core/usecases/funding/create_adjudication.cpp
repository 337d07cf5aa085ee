#include "core/usecases/funding/create_adjudication.hpp"

#include "core/domain/funding/sandbox.hpp"
#include "core/domain/reconciliation/answer.hpp"
#include "core/domain/reconciliation/match.hpp"
#include "core/usecases/claims/get_claim.hpp"
#include "core/usecases/claims/move_claim_status.hpp"
#include "core/usecases/funding/cancel_settlement.hpp"
#include "core/usecases/matching/alike_advances.hpp"
#include "core/usecases/rails/paid_claim.hpp"
#include "core/usecases/rails/rail_checks.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::Decision;
using domain::Error;
using domain::ErrorCode;

Error unknown_authorization() {
  Error error = Error::of(ErrorCode::validation_error, "authorization_id is not known. Review the claim to get one.");
  error.fields.push_back({"authorization_id", "is not known"});
  return error;
}

Error no_account() {
  Error error =
      Error::of(ErrorCode::validation_error,
                "No payout account is known. Send payout_account_token, or let the operator set a default payout "
                "account for this tenant.");
  error.fields.push_back({"payout_account_token", "required"});
  return error;
}

constexpr const char* kMayBeAnswered =
    "A remittance may have answered this claim under another claim number (see decision_reasons). Check it before "
    "you approve.";

/// Remittance claims per claim number; a payer seldom names one claim more than a few times.
constexpr std::size_t kMostRemittances = 100;

/// The payer's decision on the claim from remittances that came before the claim was reviewed here.
std::optional<domain::ClaimStatus> decided_before(const ports::Records& records, const domain::TenantId& tenant,
                                                  const domain::Claim& claim) {
  std::optional<domain::ClaimStatus> decided;
  domain::RemittanceId by;
  for (const auto& remittance : records.remittances().naming(tenant, claim.draft.claim_identifier, kMostRemittances)) {
    if (decided && remittance.id != by) break;
    const auto& paid = remittance.claims.front().claim;
    const auto status = domain::claim_status_of(domain::answer_of(paid));
    if (!status || !balance_of(remittance.draft).balanced() ||
        !differences_of_decision(remittance.draft, paid, claim.draft).empty())
      continue;
    if (!decided || decided == domain::ClaimStatus::reversed)
      decided = status;  // a correction replaces the reversal in the same remittance
    by = remittance.id;
  }
  return decided;
}

/// The reason why the claim cannot be advanced. A claim has at most one live settlement. An authorization is used up by
/// its live settlement, and invalid when it expired or a newer review replaced it.
std::optional<Error> refusal_of(const ports::Records& records, const domain::TenantId& tenant,
                                const domain::Review& review, const std::optional<ports::StoredClaim>& claim,
                                const std::string& claim_digest, domain::Timestamp now) {
  if (auto decided = refuse_decided_claim(claim)) return decided;
  if (auto paid = refuse_paid_claim(records, tenant, review.claim_id, claim_digest)) return paid;
  if (auto disputed = refuse_disputed_claim(records, tenant, review.claim_id)) return disputed;
  // Two live settlements would advance the same receivable twice.
  const auto live = records.settlements().live_of(tenant, review.claim_id);
  if (live && !has_lapsed(live->settlement, now)) {
    const bool ours = live->settlement.authorization_id == review.authorization_id;
    return Error::of(
               ours ? ErrorCode::authorization_already_used : ErrorCode::claim_already_advanced,
               ours ? "This authorization already has a settlement." : "This claim already has a live settlement.")
        .with("settlement_id", live->settlement.id.text());
  }
  const auto latest = records.reviews().latest_of(tenant, review.claim_id);
  if (latest && latest->id != review.id)
    return Error::of(ErrorCode::authorization_expired,
                     "A newer review of this claim replaced this authorization. Use details.authorization_id.")
        .with("reason", "superseded")
        .with("authorization_id", latest->authorization_id.text());
  if (review.expires_at > now) return std::nullopt;
  return Error::of(ErrorCode::authorization_expired, "This authorization has expired. Review the claim again.")
      .with("reason", "expired")
      .with("expires_at", format_timestamp(review.expires_at));
}

}  // namespace

/// What the request names, read before the rules and the rail are asked.
struct CreateAdjudication::Gathered {
  domain::Review review;
  domain::Sensitive<std::string> account;
  std::vector<domain::RemittanceId> answers;  // of other claim numbers that may belong to this claim
  std::string digest;
  domain::Portfolio portfolio;
  domain::ClaimDetails details;
  domain::RecoursePolicy policy;
  std::optional<domain::Money> practice_balance;  // where the policy has a floor for it
  std::optional<domain::ClaimStatus> decided;     // by a remittance that came before the claim was known here
};

struct CreateAdjudication::Decided {
  domain::BoundedTerms bounded;
  domain::RulesStamp rules;
  bool rule_failed = false;
};

domain::Error CreateAdjudication::follow(const RequestContext& context, const domain::Review& review,
                                         domain::ClaimStatus decided) {
  const auto& tenant = context.caller.tenant;
  std::optional<Error> refusal;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    records.claims().guard(tenant, review.claim_id);
    auto claim = records.claims().find(tenant, review.claim_identifier);
    if (claim && domain::may_be_advanced(claim->status.status) &&
        !move_claim_status({records, tenant, context.now, ids_}, claim->status, decided, domain::StatusSource::payer))
      return Error::of(ErrorCode::conflict, "The claim changed at the same time. Send the request again.");
    claim = records.claims().find(tenant, review.claim_identifier);
    refusal = refuse_decided_claim(claim);
    leave_audit_row(records, context, ids_, review.claim_id.text(), name_of(ErrorCode::invalid_state));
    return {};
  });
  if (!done) return done.error();
  return refusal ? *refusal
                 : Error::of(ErrorCode::conflict, "The claim changed at the same time. Send the request again.");
}

domain::Result<CreateAdjudication::Gathered> CreateAdjudication::gather(const RequestContext& context,
                                                                        const AdjudicationRequest& request) {
  const auto& tenant = context.caller.tenant;
  const auto authorization = domain::AuthorizationId::parse(request.authorization_id);
  if (!authorization) return unknown_authorization();
  std::optional<domain::Review> review;
  std::optional<Error> refusal;
  std::optional<domain::ClaimStatus> decided;
  Gathered gathered;
  gathered.policy = rules_.recourse_policy();
  gathered.account = request.payout_account_token;
  const auto read = store_.read([&](const ports::Records& records) {
    review = records.reviews().find(tenant, *authorization);
    if (review) {
      const auto claim = records.claims().find(tenant, review->claim_identifier);
      gathered.digest = claim_digest(digests_, tenant, review->claim_identifier);
      // Check early, so that no rule runs for a request that is refused anyway.
      refusal = refusal_of(records, tenant, *review, claim, gathered.digest, context.now);
      if (claim && !refusal) decided = decided_before(records, tenant, claim->claim);
      if (claim && !refusal && !decided)
        gathered.answers = alike_answers(records, tenant, claim->claim.draft, context.now.utc_date(), true);
      read_exposure(records, context, review->payer_id, claim ? &claim->claim.draft : nullptr, gathered);
    }
    if (gathered.account.reveal().empty()) gathered.account = records.clients().payout_account(tenant);
  });
  if (!read) return read.error();
  if (!review) return unknown_authorization();
  if (refusal) return *refusal;
  gathered.decided = decided;
  gathered.review = std::move(*review);
  return gathered;
}

void CreateAdjudication::read_exposure(const ports::Records& records, const RequestContext& context,
                                       const std::string& payer_id, const domain::ClaimDraft* claim,
                                       Gathered& gathered) const {
  const auto& tenant = context.caller.tenant;
  if (claim) gathered.details = claim->details;
  gathered.portfolio =
      records.settlements().portfolio(tenant, payer_id, claim ? claim->billing_npi : "", context.now.utc_date());
  if (claim && gathered.policy.balance_floor)
    gathered.practice_balance = records.recourse().practice(tenant, claim->billing_npi).owed;
}

domain::Status CreateAdjudication::choose_account(const RequestContext& context, Gathered& gathered) const {
  if (!gathered.account.reveal().empty()) return {};
  // Production has no implied account: real money needs a real one.
  if (context.caller.environment != domain::Environment::sandbox) return no_account();
  gathered.account = domain::Sensitive(std::string(domain::kImpliedPayoutAccount));
  return {};
}

domain::Result<domain::BoundedTerms> CreateAdjudication::terms_for(const RequestContext& context,
                                                                   const domain::Review& review,
                                                                   const domain::ClaimDraft& claim,
                                                                   const std::string& rail) {
  Gathered gathered;
  gathered.policy = rules_.recourse_policy();
  gathered.review = review;
  const auto read = store_.read([&](const ports::Records& records) {
    gathered.answers = alike_answers(records, context.caller.tenant, claim, context.now.utc_date(), true);
    read_exposure(records, context, review.payer_id, &claim, gathered);
  });
  if (!read) return read.error();
  const auto payer = payers_.get(review.payer_id);
  if (!payer) return payer.error();
  return decide(context, gathered, rail, !*payer || (*payer)->supports_advance, nullptr).bounded;
}

domain::Result<std::vector<domain::BoundedTerms>> CreateAdjudication::terms_by_rail(
    const RequestContext& context, const std::string& authorization_id) {
  AdjudicationRequest request;
  request.authorization_id = authorization_id;
  const auto gathered = gather(context, request);
  if (!gathered) return gathered.error();
  if (gathered->decided)
    return Error::of(ErrorCode::invalid_state, "A remittance has answered this claim. It cannot be advanced.")
        .with("claim_status", std::string(name_of(*gathered->decided)));
  const auto payer = payers_.get(gathered->review.payer_id);
  if (!payer) return payer.error();
  std::vector<domain::BoundedTerms> offered;
  for (const auto* rail : rails_.all()) {
    auto decided = decide(context, *gathered, rail->describe().rail, !*payer || (*payer)->supports_advance, nullptr);
    if (decided.rule_failed) return terms_rule_failed();
    offered.push_back(std::move(decided.bounded));
  }
  return offered;
}

CreateAdjudication::Decided CreateAdjudication::decide(const RequestContext& context, const Gathered& gathered,
                                                       const std::string& rail, bool payer_supports_advance,
                                                       TermsExplanation* explanation) {
  auto assessed = rules_.propose_terms({gathered.review, rail, context.now.utc_date(), payer_supports_advance,
                                        gathered.portfolio, explanation != nullptr, gathered.details});
  // Faults of terms rules reach the bounds as well: a failed rule must not approve.
  domain::Review weighed = gathered.review;
  weighed.rule_faults.insert(weighed.rule_faults.end(), assessed.faults.begin(), assessed.faults.end());
  if (context.caller.environment == domain::Environment::sandbox)
    if (const auto trigger = domain::sandbox_trigger(gathered.review.payer_id); trigger && trigger->decision) {
      assessed.proposal.decision = *trigger->decision;
      assessed.proposal.reasons = {"sandbox_trigger"};
      if (assessed.proposal.advance_bps == 0) {
        assessed.proposal.advance_bps = domain::kForcedAdvanceBps;
        assessed.proposal.fee_bps = domain::kForcedFeeBps;
      }
    }
  if (explanation != nullptr) *explanation = {std::move(assessed.explained), assessed.proposal, limits_};
  // Rules propose, the service limits: no proposal exceeds the configured limits.
  auto bounded = domain::bound_terms(assessed.proposal, weighed, limits_,
                                     domain::advance_refusals(gathered.details, context.caller.environment));
  const auto& review = gathered.review;
  domain::apply_policy(bounded, gathered.policy, limits_,
                       std::max(days_between(context.now.utc_date(), review.forecast.payment_date), 0),
                       gathered.practice_balance);
  // An advance on a claim that is paid already would be lost, so a reviewer checks first.
  if (!gathered.answers.empty() && bounded.decision == Decision::approved) bounded.decision = Decision::manual_review;
  for (const auto& answer : gathered.answers) bounded.reasons.push_back(std::string(kMayBeAnsweredBy) + answer.text());
  return {std::move(bounded), std::move(assessed.rules), !assessed.faults.empty()};
}

ports::StoredSettlement CreateAdjudication::settlement_of(const RequestContext& context, Gathered& gathered,
                                                          Decided& decided, domain::FundingPlan plan) {
  const domain::Review& review = gathered.review;
  ports::StoredSettlement stored;
  domain::Settlement& settlement = stored.settlement;
  settlement.id = ids_.next<domain::SettlementId>();
  settlement.claim_id = review.claim_id;
  settlement.claim_identifier = review.claim_identifier;
  settlement.payer_id = review.payer_id;
  settlement.authorization_id = review.authorization_id;
  settlement.review_id = review.id;
  settlement.decision = decided.bounded.decision;
  settlement.decision_reasons = std::move(decided.bounded.reasons);
  settlement.status = domain::initial_status(decided.bounded.decision);
  settlement.terms = decided.bounded.terms;
  settlement.expected_reimbursement = review.forecast.expected;
  settlement.expected_payment_date = review.forecast.payment_date;
  settlement.funding = std::move(plan);
  settlement.payout_account_token = std::move(gathered.account);
  settlement.rules = std::move(decided.rules);
  settlement.created_at = context.now;
  // Terms expire, because the exposure and the claim may change until the confirm.
  settlement.expires_at = context.now.plus_days(confirmation_days_);
  return stored;
}

domain::Status CreateAdjudication::write(ports::Records& records, const RequestContext& context,
                                         const Gathered& gathered, ports::StoredSettlement& stored,
                                         const domain::TaskId& task, const std::string& body) {
  const auto& tenant = context.caller.tenant;
  const domain::Review& review = gathered.review;
  domain::Settlement& settlement = stored.settlement;
  records.claims().guard(tenant, review.claim_id);
  // Check again inside the transaction: another request may have advanced the claim since it was read.
  const auto claim = records.claims().find(tenant, review.claim_identifier);
  if (auto changed = refusal_of(records, tenant, review, claim, gathered.digest, context.now)) return *changed;
  // Payments are compared with the claim as it is billed now, whatever later reviews change.
  if (claim) settlement.billed = domain::billed_of(claim->claim.draft);
  // The expired settlement still counts as live: end it, so that the claim has only one.
  if (auto lapsed = records.settlements().live_of(tenant, review.claim_id)) {
    if (!cancel({records, tenant, context.now, ids_, &rules_}, *lapsed, "expired"))
      return Error::of(ErrorCode::conflict, "The earlier settlement changed at the same time. Send the request again.");
  }
  records.settlements().insert(tenant, stored);
  records.events().append(tenant, {ids_.next<domain::EventId>(), context.now,
                                   domain::AdjudicationCreated{settlement.id, settlement.decision, settlement.status}});
  if (settlement.decision == Decision::manual_review) {
    // The task keeps the client that asked, because it must not decide on its own advance.
    open_task({records, tenant, context.now, ids_}, {.kind = domain::kManualReview,
                                                     .object_id = settlement.id.text(),
                                                     .note = gathered.answers.empty() ? "" : kMayBeAnswered,
                                                     .opened_by = context.caller.client,
                                                     .id = task});
    records.events().append(tenant,
                            {ids_.next<domain::EventId>(), context.now, domain::ReviewRequired{settlement.id, task}});
  }
  leave_trace(records, context, ids_, settlement.id.text(), body);
  return {};
}

domain::Status CreateAdjudication::check(const AdjudicationRequest& request) const {
  auto known = check_rails(rails_, request.rail, request.fallback, "funding.");
  if (domain::AuthorizationId::parse(request.authorization_id)) return known;
  auto refusal = unknown_authorization();
  if (known) return refusal;
  known.error().message += ' ' + refusal.message;
  known.error().fields.push_back(std::move(refusal.fields.front()));
  return known;
}

domain::Result<StoredResponse> CreateAdjudication::operator()(const RequestContext& context,
                                                              const AdjudicationRequest& request,
                                                              const Render<SettlementView>& render,
                                                              TermsExplanation* explanation) {
  // Rails and date first: a fault of the request is reported whatever state the claim has.
  if (auto known = check_rails(rails_, request.rail, request.fallback, "funding."); !known) return known.error();
  ports::FundingRail* rail = rails_.find(request.rail);
  auto plan =
      rail->plan(request.desired_date, context.now, context.caller.profile == domain::ValidationProfile::strict);
  if (!plan) return plan.error();

  auto gathered = gather(context, request);
  if (!gathered) return gathered.error();
  if (gathered->decided) return follow(context, gathered->review, *gathered->decided);
  if (auto account = choose_account(context, *gathered); !account) return account.error();
  // The payer may be unknown: rules decide on its claims, too.
  const auto payer = payers_.get(gathered->review.payer_id);
  if (!payer) return payer.error();

  const bool supports_advance = !*payer || (*payer)->supports_advance;
  auto decided = decide(context, *gathered, request.rail, supports_advance, explanation);
  const bool declined = decided.bounded.decision == Decision::declined;
  if (auto refusal =
          refusal_of_rail(rail->describe(), declined ? domain::Money{} : decided.bounded.terms.advance_amount))
    return *refusal;

  const ports::TermsFacts facts{gathered->review,    request.rail, context.now.utc_date(), supports_advance,
                                gathered->portfolio, false,        gathered->details};
  if (auto checked = check_fallback(rails_, rules_, facts, request.rail, request.fallback, "funding."); !checked)
    return checked.error();

  auto stored = settlement_of(context, *gathered, decided, std::move(*plan));
  stored.settlement.fallback = request.fallback;
  const auto task = ids_.next<domain::TaskId>();
  const std::string body =
      render({stored.settlement, {}, waits_for_review(stored.settlement) ? std::optional(task) : std::nullopt});
  const auto done =
      store_.commit([&](ports::Records& records) { return write(records, context, *gathered, stored, task, body); });
  if (!done) return done.error();
  return StoredResponse{body};
}

}  // namespace tideover::usecases
