// Reviews a claim: will it be denied and why, what will be paid and when (openapi.yaml: Claim review).
// gather -> decide -> commit. The first two are `prepare`, the last is `write`: an import runs the same two for each
// row.
#pragma once
#include <mutex>
#include <set>

#include "core/domain/claims/reason_code.hpp"
#include "core/domain/funding/sandbox.hpp"
#include "core/ports/keyed_digest.hpp"
#include "core/ports/plugins/payer_directory.hpp"
#include "core/ports/rules/rule_policy.hpp"
#include "core/usecases/learning/learner.hpp"
#include "core/usecases/request/explanation.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

/// A decided review that is not yet written, and the claim as it is stored where nobody knew it before.
struct PreparedReview {
  ports::StoredClaim fresh;
  domain::Review review;
  /// Nobody knew the claim when the review was prepared, so `write` does not ask again: where that has changed since,
  /// its insert is a unique violation, and whoever commits prepares anew. Clear it to have `write` ask.
  bool presumed_new = false;
  /// The payer's record, to be kept under the review's edition of it; empty: it is kept already.
  std::string payer_record{};
};

class ReviewClaim {
 public:
  /// `reason_codes` must outlive this object: no reason names a code that it does not hold. `learner`: what was
  /// learned; null for nothing.
  ReviewClaim(ports::Store& store, ports::PayerDirectory& payers, ports::RulePolicy& rules,
              const ports::KeyedDigest& digests, ports::IdSource& ids,
              const std::vector<domain::ReasonCode>& reason_codes, int authorization_days,
              const Learner* learner = nullptr)
      : store_(store),
        payers_(payers),
        rules_(rules),
        digests_(digests),
        ids_(ids),
        reason_codes_(reason_codes),
        authorization_days_(authorization_days),
        learner_(learner) {}

  domain::Result<StoredResponse> operator()(const RequestContext& context, const domain::ClaimDraft& draft,
                                            const Render<domain::Review>& render);

  /// The same without waiting for the disk: a refusal is returned, and `done` is then never called; else it is called
  /// once, on this thread or another, and must be quick.
  using Done = std::function<void(domain::Result<StoredResponse>)>;
  /// `explanation`, unless null, is written before `render` is called.
  domain::Status start(RequestContext context, const domain::ClaimDraft& draft, Render<domain::Review> render,
                       Done done, ReviewExplanation* explanation = nullptr);

  domain::Result<PreparedReview> prepare(const domain::Caller& caller, domain::Timestamp now,
                                         const domain::ClaimDraft& draft, ReviewExplanation* explanation = nullptr);
  /// Writes claim, review, status and event; a superseded settlement that was never confirmed is canceled. Returns the
  /// id under which the claim stands: that of `prepared`, or of the claim that was known already. Error conflict where
  /// that one changed at the same moment.
  domain::Result<domain::ClaimId> write(ports::Records& records, const domain::Caller& caller,
                                        const PreparedReview& prepared);
  /// It is durable, and so is what was written with it: the next reviews need not write that again.
  void is_durable(const PreparedReview& prepared);
  /// The claim that stands under the identifier, as `write` sees it.
  static std::optional<ports::StoredClaim> known_as(const ports::Records& records, const domain::Caller& caller,
                                                    const PreparedReview& prepared);
  /// For whoever has looked for it in the same unit.
  domain::Result<domain::ClaimId> write(ports::Records& records, const domain::Caller& caller,
                                        const PreparedReview& prepared, const std::optional<ports::StoredClaim>& known);

 private:
  struct Attempt;
  void name_edition(const domain::Payer& payer, PreparedReview& prepared);
  domain::Status replace(ports::Records& records, const domain::TenantId& tenant, const ports::StoredClaim& known,
                         const domain::Claim& claim, domain::Timestamp now);

  ports::Store& store_;
  ports::PayerDirectory& payers_;
  ports::RulePolicy& rules_;
  const ports::KeyedDigest& digests_;
  ports::IdSource& ids_;
  const std::vector<domain::ReasonCode>& reason_codes_;
  int authorization_days_;
  const Learner* const learner_;
  std::mutex filing_;
  std::set<std::string> filed_;  // under filing_: payers' editions that are in the store
};

}  // namespace tideover::usecases
