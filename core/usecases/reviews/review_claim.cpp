#include "core/usecases/reviews/review_claim.hpp"

#include <algorithm>
#include <memory>

#include "core/usecases/claims/move_claim_status.hpp"
#include "core/usecases/claims/near_payer.hpp"
#include "core/usecases/claims/payer_edition.hpp"
#include "core/usecases/funding/cancel_settlement.hpp"
#include "core/usecases/reviews/judge_claim.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;

/// The service of a claim: chart, payer, service date, billing provider, amount and the multiset of lines. Two claims
/// with the same service are a double billing.
std::string duplicate_material(const domain::ClaimDraft& draft, const std::string& payer_id) {
  std::vector<std::string> lines;
  for (const auto& line : draft.service_lines)
    lines.push_back(line.cpt + '|' + line.modifier + '|' + std::to_string(line.units_milli) + '|' +
                    (line.amount ? std::to_string(line.amount->cents()) : "") +
                    (line.revenue_code.empty() ? "" : '|' + line.revenue_code));
  std::sort(lines.begin(), lines.end());
  std::string material = draft.chart_identifier.reveal() + '\n' + payer_id + '\n' +
                         (draft.date_of_service ? format_date(*draft.date_of_service) : "") + '\n' + draft.billing_npi +
                         '\n' + std::to_string(draft.submitted_amount.cents());
  for (const auto& line : lines) material += '\n' + line;
  return material;
}

/// The claim with this identifier. The id of another claim may look the same.
std::optional<ports::StoredClaim> stored_as(const ports::Records& records, const domain::TenantId& tenant,
                                            const std::string& identifier) {
  auto found = records.claims().find(tenant, identifier);
  if (found && found->claim.draft.claim_identifier != identifier) return std::nullopt;
  return found;
}

/// The review of a claim that is stored under another id.
domain::Review under(const ports::StoredClaim& known, domain::Review review) {
  review.claim_id = known.claim.id;
  review.basis.claim_revision = known.revision + 1;
  return review;
}

}  // namespace

domain::Result<PreparedReview> ReviewClaim::prepare(const domain::Caller& caller, domain::Timestamp now,
                                                    const domain::ClaimDraft& draft, ReviewExplanation* explanation) {
  // Gather.
  auto found = payers_.get(draft.payer_id);
  if (!found) return found.error();
  const bool payer_known = found->has_value();
  const domain::Payer payer = payer_known ? **found : domain::Payer{};

  PreparedReview prepared;
  domain::Claim& claim = prepared.fresh.claim;
  claim.id = ids_.next<domain::ClaimId>();
  claim.draft = draft;
  claim.draft.payer_id = payer_known ? payer.payer_id : domain::plain_payer_id(draft.payer_id);
  claim.duplicate_key = digests_.digest("duplicate-claim-v1",
                                        caller.tenant.text() + '\n' + duplicate_material(draft, claim.draft.payer_id));
  int duplicates = 0;
  auto stands_as = claim.id;
  const auto read = store_.read_one([&](const ports::Records& records) {
    duplicates = records.claims().count_duplicates(caller.tenant, claim);
    const auto known = stored_as(records, caller.tenant, draft.claim_identifier);
    prepared.presumed_new = !known;
    if (known) stands_as = known->claim.id;
  });
  if (!read) return read.error();
  auto model = learner_ ? learner_->model(caller.tenant) : std::nullopt;

  // Decide.
  ports::ClaimFacts facts{claim.draft, payer, payer_known, caller.profile, now.utc_date(), duplicates};
  if (!payer_known) facts.near_payer = near_payer_id(payers_, draft.payer_id);
  const Subject subject{caller.tenant, stands_as, model ? &model->state() : nullptr, model ? model->name() : ""};
  auto judged = review_with(facts, subject, rules_, digests_, caller.environment, reason_codes_, explanation);
  model.reset();
  if (!judged) return judged.error();
  domain::Review& review = prepared.review = std::move(*judged);
  review.basis.claim_revision = 0;
  if (payer_known) name_edition(payer, prepared);
  review.id = ids_.next<domain::ReviewId>();
  review.authorization_id = ids_.next<domain::AuthorizationId>();
  review.claim_id = claim.id;
  review.created_at = now;
  review.expires_at = now.plus_days(authorization_days_);
  prepared.fresh.created_at = now;
  auto& status = prepared.fresh.status;
  status.claim = claim.id;
  status.claim_identifier = draft.claim_identifier;
  status.status = domain::ClaimStatus::reviewed;
  status.updated_at = now;
  return prepared;
}

void ReviewClaim::name_edition(const domain::Payer& payer, PreparedReview& prepared) {
  auto record = text_of(payer);
  auto& edition = prepared.review.basis.payer_edition = digests_.digest("payer-edition-v1", record);
  const std::lock_guard lock(filing_);
  if (!filed_.contains(edition)) prepared.payer_record = std::move(record);
}

void ReviewClaim::is_durable(const PreparedReview& prepared) {
  if (prepared.payer_record.empty()) return;
  const std::lock_guard lock(filing_);
  filed_.insert(prepared.review.basis.payer_edition);
}

domain::Result<domain::ClaimId> ReviewClaim::write(ports::Records& records, const domain::Caller& caller,
                                                   const PreparedReview& prepared) {
  return write(records, caller, prepared, known_as(records, caller, prepared));
}

std::optional<ports::StoredClaim> ReviewClaim::known_as(const ports::Records& records, const domain::Caller& caller,
                                                        const PreparedReview& prepared) {
  return prepared.presumed_new ? std::nullopt
                               : stored_as(records, caller.tenant, prepared.fresh.claim.draft.claim_identifier);
}

domain::Result<domain::ClaimId> ReviewClaim::write(ports::Records& records, const domain::Caller& caller,
                                                   const PreparedReview& prepared,
                                                   const std::optional<ports::StoredClaim>& known) {
  const auto& fresh = prepared.fresh;
  const auto& review = prepared.review;
  if (!prepared.payer_record.empty()) records.learning().file_payer(review.basis.payer_edition, prepared.payer_record);
  if (known) {
    if (auto replaced = replace({records, caller.tenant, review.created_at, ids_}, *known, fresh.claim); !replaced)
      return replaced.error();
    records.reviews().insert(caller.tenant, under(*known, review));
  } else {
    records.claims().insert(caller.tenant, fresh);
    records.reviews().insert(caller.tenant, review);
  }
  records.events().append(caller.tenant,
                          {ids_.next<domain::EventId>(), review.created_at,
                           domain::ReviewCompleted{review.id, review.authorization_id, review.claim_identifier,
                                                   review.forecast.denial_predicted}});
  return known ? known->claim.id : fresh.claim.id;
}

domain::Status ReviewClaim::replace(const UnitOfWork& unit, const ports::StoredClaim& known,
                                    const domain::Claim& claim) {
  if (!unit.records.claims().replace(unit.tenant, known, claim, unit.now))
    return Error::of(ErrorCode::conflict, "The claim changed at the same time. Send the request again.");
  const auto& id = known.claim.id;
  if (known.status.status == domain::ClaimStatus::received)
    move_claim_status(unit, known.status, domain::ClaimStatus::reviewed, domain::StatusSource::system);
  auto live = unit.records.settlements().live_of(unit.tenant, id);
  // Terms that a reviewer approved stay for the claim that the reviewer saw.
  const bool stays =
      live && live->settlement.status == domain::SettlementStatus::approved && claim.draft == known.claim.draft;
  if (!live || stays || !is_at_rest(live->settlement) ||
      !next_status(live->settlement.status, live->settlement.decision, domain::SettlementEvent::cancel))
    return {};
  (void)cancel(unit, *live, "superseded");  // no effect after a confirm
  return {};
}

/// A decided review that is being written.
struct ReviewClaim::Attempt {
  Attempt(ReviewClaim& verb, RequestContext act_given, PreparedReview decided, Render<domain::Review> written_down)
      : review_claim(verb),
        context(std::move(act_given)),
        prepared(std::move(decided)),
        render(std::move(written_down)),
        own_body(render(prepared.review)) {}

  ReviewClaim& review_claim;
  const RequestContext context;
  const PreparedReview prepared;
  const Render<domain::Review> render;
  const std::string own_body;  // rendered before the unit, which delays other writers
  std::string body;            // when the claim turned out to be known

  domain::Status write(ports::Records& records) {
    const auto claim = review_claim.write(records, context.caller, prepared);
    if (!claim) return claim.error();
    if (*claim == prepared.review.claim_id) {
      body.clear();
    } else {
      auto review = prepared.review;
      review.claim_id = *claim;
      body = render(review);
    }
    leave_trace(records, context, review_claim.ids_, prepared.review.id.text(), answer());
    return {};
  }
  const std::string& answer() const { return body.empty() ? own_body : body; }
};

domain::Status ReviewClaim::start(RequestContext context, const domain::ClaimDraft& draft,
                                  Render<domain::Review> render, Done done, ReviewExplanation* explanation) {
  auto prepared = prepare(context.caller, context.now, draft, explanation);
  if (!prepared) return prepared.error();
  const auto attempt = std::make_shared<Attempt>(*this, std::move(context), std::move(*prepared), std::move(render));
  store_.commit_async(
      [attempt](ports::Records& records) { return attempt->write(records); }, ports::Priority::interactive,
      [attempt, done = std::move(done)](const domain::Status& status) {
        if (status) attempt->review_claim.is_durable(attempt->prepared);
        done(status ? domain::Result<StoredResponse>(StoredResponse{attempt->answer()}) : status.error());
      });
  return {};
}

}  // namespace tideover::usecases
