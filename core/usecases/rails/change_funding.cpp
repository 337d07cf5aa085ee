#include "core/usecases/rails/change_funding.hpp"

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
  const bool keeps_date = !change.desired_date && name == agreed.rail;
  auto planned = rail->plan(keeps_date ? agreed.desired_date : change.desired_date, context.now, strict);
  // The day that was agreed may have passed since.
  if (!planned && keeps_date && agreed.desired_date) planned = rail->plan(std::nullopt, context.now, strict);
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
  std::optional<domain::Review> review;
  domain::ClaimDetails details;
  const auto read = store_.read([&](const ports::Records& records) {
    review = records.reviews().find(tenant, settlement.authorization_id);
    const auto claim = records.claims().find(tenant, settlement.claim_identifier);
    if (claim) details = claim->claim.draft.details;
  });
  if (!read) return read.error();
  if (!review) return changed_meanwhile();
  const ports::TermsFacts facts{*review, agreed, context.now.utc_date(), true, {}, false, details};
  if (rail != agreed && !has_same_terms(rules_, facts, agreed, rail))
    return Error::of(ErrorCode::invalid_state,
                     "The rules give other terms for the rail " + rail +
                         ". Cancel the settlement and adjudicate the authorization again with this rail.")
        .with("settlement_id", settlement.id.text())
        .with("rail", rail);
  return change.fallback ? check_fallback(rails_, rules_, facts, rail, *change.fallback, "fallback") : domain::Status{};
}

domain::Result<StoredResponse> ChangeFunding::operator()(const RequestContext& context,
                                                         const std::string& settlement_id, const FundingChange& change,
                                                         const Render<SettlementView>& render) {
  const auto& tenant = context.caller.tenant;
  const auto id = domain::SettlementId::parse(settlement_id);
  if (!id) return not_found();
  const auto seen = fetch(store_, not_found(),
                          [&](const ports::Records& records) { return records.settlements().find(tenant, *id); });
  if (!seen) return seen.error();
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
    settlement.funding = *planned;
    if (change.fallback) settlement.fallback = *change.fallback;
    std::erase(settlement.fallback, planned->rail);
    if (!change.payout_account_token.reveal().empty()) settlement.payout_account_token = change.payout_account_token;
    if (!records.settlements().update(tenant, *stored)) return changed_meanwhile();
    body = render(view_of(records, tenant, settlement));
    leave_trace(records, context, ids_, id->text(), body);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{body};
}

}  // namespace tideover::usecases
