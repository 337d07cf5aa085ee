// Reviews a claim: the denial probability with reasons, the expected payment and its date (openapi.yaml: Claim review).
// Three steps: gather, decide, commit. `prepare` does the first two, `write` the last. An import runs the same two for
// each row.
//
// Threads: thread-safe.
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
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

/// A decided review that is not written yet, and the claim when it is new.
struct PreparedReview {
  ports::StoredClaim fresh;
  domain::Review review;
  /// The claim was new when the review was prepared, so `write` does not look it up. If it was added since, the insert
  /// is a unique violation and the caller prepares again. Clear it to make `write` look it up.
  bool presumed_new = false;
  /// The payer's record, to be stored as the review's edition; empty: stored already.
  std::string payer_record{};
};

class ReviewClaim {
 public:
  /// `reason_codes` must outlive this object, and reasons use only its codes. `learner`: the models; null for none.
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

  /// Does not wait for the disk. A refusal is returned, and `done` is not called. Otherwise `done` is called once, on
  /// any thread, and must be quick.
  using Done = std::function<void(domain::Result<StoredResponse>)>;
  /// `explanation` (may be null) is written before `render` is called.
  domain::Status start(RequestContext context, const domain::ClaimDraft& draft, Render<domain::Review> render,
                       Done done, ReviewExplanation* explanation = nullptr);

  domain::Result<PreparedReview> prepare(const domain::Caller& caller, domain::Timestamp now,
                                         const domain::ClaimDraft& draft, ReviewExplanation* explanation = nullptr);
  /// Writes claim, review, status and event, and cancels a superseded settlement that was not confirmed. Returns the id
  /// of the claim: that of `prepared`, or of the known claim. Error conflict when that claim changed at the same time.
  domain::Result<domain::ClaimId> write(ports::Records& records, const domain::Caller& caller,
                                        const PreparedReview& prepared);
  /// The unit is on disk: later reviews need not write its payer's edition again.
  void is_durable(const PreparedReview& prepared);
  /// The claim under the identifier, as `write` sees it.
  static std::optional<ports::StoredClaim> known_as(const ports::Records& records, const domain::Caller& caller,
                                                    const PreparedReview& prepared);
  /// For callers that looked it up in the same unit.
  domain::Result<domain::ClaimId> write(ports::Records& records, const domain::Caller& caller,
                                        const PreparedReview& prepared, const std::optional<ports::StoredClaim>& known);

 private:
  struct Attempt;
  void name_edition(const domain::Payer& payer, PreparedReview& prepared);
  domain::Status replace(const UnitOfWork& unit, const ports::StoredClaim& known, const domain::Claim& claim);

  ports::Store& store_;
  ports::PayerDirectory& payers_;
  ports::RulePolicy& rules_;
  const ports::KeyedDigest& digests_;
  ports::IdSource& ids_;
  const std::vector<domain::ReasonCode>& reason_codes_;
  int authorization_days_;
  const Learner* const learner_;
  std::mutex filing_;
  std::set<std::string> filed_;  // guarded by filing_: payers' editions in the store
};

}  // namespace tideover::usecases
