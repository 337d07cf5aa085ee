#include "core/usecases/rails/change_funding.hpp"

#include <algorithm>

#include "core/usecases/rails/paid_claim.hpp"
#include "core/usecases/rails/rail_checks.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::SettlementEvent;

Error not_found() {
  return Error::of(ErrorCode::settlement_not_found, "Settlement not found.");
}

Error changed_meanwhile() {
  return Error::of(ErrorCode::conflict, "The settlement changed at the same time. Send the request again.");
}

/// Why the funding of this settlement cannot change; nullopt: it can.
std::optional<Error> refusal_of(const domain::Settlement& settlement, domain::Timestamp now) {
  // An attempt at the rail could still pay the advance by the old plan.
  if (!is_at_rest(settlement))
    return Error::of(ErrorCode::invalid_state,
                     "The payment of this settlement was made, is at the rail, or may be there. Its funding cannot be "
                     "changed.")
        .with("status", std::string(name_of(settlement.status)))
        .with("funding_status", std::string(name_of(settlement.funding_status)));
  if (!next_status(settlement.status, settlement.decision, SettlementEvent::cancel))
    return Error::of(ErrorCode::invalid_state, "The funding of a settlement that is " +
                                                   std::string(name_of(settlement.status)) + " cannot be changed.")
        .with("status", std::string(name_of(settlement.status)))
        .with("funding_status", std::string(name_of(settlement.funding_status)));
  if (settlement.expires_at <= now)
    return Error::of(ErrorCode::invalid_state, "The terms have expired. Review the claim and adjudicate it again.")
        .with("status", std::string(name_of(settlement.status)))
        .with("expires_at", format_timestamp(settlement.expires_at));
  return std::nullopt;
}

/// Whether the caller approved the review of this settlement.
bool has_approved(const ports::Records& records, const RequestContext& context, const domain::Settlement& settlement) {
  if (settlement.status != domain::SettlementStatus::approved) return false;
  const auto reviews = records.tasks().list(
      context.caller.tenant, {domain::TaskStatus::closed, domain::kManualReview, settlement.id.text()}, {"", 1});
  return std::any_of(reviews.begin(), reviews.end(), [&](const domain::Task& review) {
    return std::any_of(review.votes.begin(), review.votes.end(),
                       [&](const domain::TaskVote& vote) { return vote.client == context.caller.client; });
  });
}

Error approved_by_caller(const domain::Settlement& settlement) {
  return Error::of(ErrorCode::invalid_state,
                   "The client that approved the review of this settlement cannot change its funding. Use another "
                   "client.")
      .with("status", std::string(name_of(settlement.status)));
}

/// " (rail, fallback)": the members that the request sets.
std::string members_of(const FundingChange& change) {
  std::string members;
  const auto add = [&](bool is_set, const char* name) {
    if (is_set) members += (members.empty() ? " (" : ", ") + std::string(name);
  };
  add(change.rail.has_value(), "rail");
  add(change.desired_date.has_value(), "desired_date");
  add(!change.payout_account_token.reveal().empty(), "payout_account_token");
  add(change.fallback.has_value(), "fallback");
  return members.empty() ? members : members + ')';
}

/// What the terms rules were given at the adjudication, as it is now.
struct Basis {
  domain::Review review;
  domain::ClaimDetails details;
  domain::Portfolio portfolio;
};

}  // namespace

domain::Result<domain::FundingPlan> ChangeFunding::plan(const RequestContext& context,
                                                        const domain::Settlement& settlement,
                                                        const FundingChange& change) {
  const auto& agreed = settlement.funding;
  const std::string& name = change.rail ? *change.rail : agreed.rail;
  ports::FundingRail* rail = rails_.find(name);
  if (!rail) return unknown_rail(rails_, "rail");
  if (auto refusal = refusal_of_rail(rail->describe(), settlement.terms.advance_amount)) return *refusal;
  if (auto same = check_terms(context, settlement, change); !same) return same.error();
  const bool strict = context.caller.profile == domain::ValidationProfile::strict;
  // The day that was agreed may have passed since.
  const bool keeps_date = !change.desired_date && name == agreed.rail;
  auto planned = keeps_date ? plan_for_day(*rail, agreed.desired_date, context.now, strict)
                            : rail->plan(change.desired_date, context.now, strict);
  if (!planned && planned.error().code == ErrorCode::invalid_desired_date && planned.error().fields.empty())
    planned.error().fields.push_back({"desired_date", "is not a date that this rail can use; see message"});
  return planned;
}

domain::Status ChangeFunding::check_terms(const RequestContext& context, const domain::Settlement& settlement,
                                          const FundingChange& change) {
  const std::string& agreed = settlement.funding.rail;
  const std::string& rail = change.rail ? *change.rail : agreed;
  if (rail == agreed && !change.fallback) return {};
  const auto& tenant = context.caller.tenant;
  const auto basis = fetch(store_, changed_meanwhile(), [&](const ports::Records& records) -> std::optional<Basis> {
    auto review = records.reviews().find(tenant, settlement.authorization_id);
    if (!review) return std::nullopt;
    const auto claim = records.claims().find(tenant, settlement.claim_identifier);
    const auto& draft = claim ? claim->claim.draft : domain::ClaimDraft{};
    const auto portfolio =
        records.settlements().portfolio(tenant, review->payer_id, draft.billing_npi, context.now.utc_date());
    return Basis{std::move(*review), draft.details, portfolio};
  });
  if (!basis) return basis.error();
  const auto payer = payers_.get(basis->review.payer_id);
  if (!payer) return payer.error();
  const ports::TermsFacts facts{basis->review,    agreed, context.now.utc_date(), !*payer || (*payer)->supports_advance,
                                basis->portfolio, false,  basis->details};
  if (rail != agreed) {
    const auto same = has_same_terms(rules_, facts, agreed, rail);
    if (!same) return same.error();
    if (!*same)
      return Error::of(ErrorCode::invalid_state,
                       "The rules give other terms for the rail " + rail +
                           ". Cancel the settlement and adjudicate the authorization again with this rail.")
          .with("settlement_id", settlement.id.text())
          .with("rail", rail);
  }
  return change.fallback ? check_fallback(rails_, rules_, facts, rail, *change.fallback, "") : domain::Status{};
}

domain::Status ChangeFunding::check(const FundingChange& change) const {
  return check_rails(rails_, change.rail.value_or(""), change.fallback.value_or(std::vector<std::string>{}), "");
}

domain::Result<StoredResponse> ChangeFunding::operator()(const RequestContext& context,
                                                         const std::string& settlement_id, const FundingChange& change,
                                                         const Render<SettlementView>& render) {
  const auto& tenant = context.caller.tenant;
  const auto id = domain::SettlementId::parse(settlement_id);
  if (!id) return not_found();
  if (auto known = check(change); !known) return known.error();
  bool is_expected = true;
  const auto seen = fetch(store_, not_found(), [&](const ports::Records& records) {
    auto stored = records.settlements().find(tenant, *id);
    if (stored && change.expected) is_expected = change.expected(view_of(records, tenant, stored->settlement));
    return stored;
  });
  if (!seen) return seen.error();
  if (!is_expected)
    return Error::of(ErrorCode::version_conflict, "The settlement changed after you read it. Read it again.");
  if (auto refusal = refusal_of(seen->settlement, context.now)) return *refusal;
  const auto planned = plan(context, seen->settlement, change);
  if (!planned) return planned.error();

  std::string body;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    // Before any other row, in the order of a confirm: one of the two comes first.
    records.clients().guard_matching(tenant);
    records.claims().guard(tenant, seen->settlement.claim_id);
    auto stored = records.settlements().find(tenant, *id);
    if (!stored) return not_found();
    auto& settlement = stored->settlement;
    if (auto refusal = refusal_of(settlement, context.now)) return *refusal;
    if (settlement.version != seen->settlement.version) return changed_meanwhile();
    if (auto disputed = refuse_disputed_claim(records, tenant, settlement.claim_id)) return *disputed;
    if (two_person_decisions_ && has_approved(records, context, settlement)) return approved_by_caller(settlement);
    settlement.funding = *planned;
    if (change.fallback) settlement.fallback = *change.fallback;
    std::erase(settlement.fallback, planned->rail);
    if (!change.payout_account_token.reveal().empty()) settlement.payout_account_token = change.payout_account_token;
    if (!records.settlements().update(tenant, *stored)) return changed_meanwhile();
    records.settlements().note_funding_change(tenant, *id, context.caller.client, context.now);
    body = render(view_of(records, tenant, settlement));
    auto traced = context;
    traced.operation += members_of(change);
    leave_trace(records, traced, ids_, id->text(), body);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{body};
}

}  // namespace tideover::usecases
