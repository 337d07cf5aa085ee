// Creates advance terms for a reviewed claim (openapi.yaml: POST /v1/claims/adjudications).
//
// Threads: thread-safe; rules and rail are asked outside the transaction, which checks the state again.
#pragma once
#include "core/ports/keyed_digest.hpp"
#include "core/ports/plugins/funding_rail.hpp"
#include "core/ports/plugins/payer_directory.hpp"
#include "core/ports/rules/rule_policy.hpp"
#include "core/usecases/claims/get_settlement.hpp"
#include "core/usecases/request/explanation.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

struct AdjudicationRequest {
  std::string authorization_id;
  std::string rail;
  std::optional<domain::Date> desired_date;
  domain::Sensitive<std::string> payout_account_token;  // empty: the tenant's default account
  std::vector<std::string> fallback{};                  // rails to try after a definite reject, in order
};

class CreateAdjudication {
 public:
  CreateAdjudication(ports::Store& store, ports::PayerDirectory& payers, ports::RulePolicy& rules,
                     ports::FundingRails& rails, ports::IdSource& ids, const ports::KeyedDigest& digests,
                     domain::TermsLimits limits, int confirmation_days)
      : store_(store),
        payers_(payers),
        rules_(rules),
        rails_(rails),
        ids_(ids),
        digests_(digests),
        limits_(limits),
        confirmation_days_(confirmation_days) {}

  /// Refuses rails that this service does not have and a text that is no authorization, as the adjudication does.
  domain::Status check(const AdjudicationRequest& request) const;

  /// `explanation` (may be null) is written before `render` is called.
  domain::Result<StoredResponse> operator()(const RequestContext& context, const AdjudicationRequest& request,
                                            const Render<SettlementView>& render,
                                            TermsExplanation* explanation = nullptr);

  /// The terms that an adjudication of such a review of this claim over the rail would give now, whatever is stored
  /// about the claim. Stores nothing.
  domain::Result<domain::BoundedTerms> terms_for(const RequestContext& context, const domain::Review& review,
                                                 const domain::ClaimDraft& claim, const std::string& rail);
  /// The terms that an adjudication over each configured rail would give now, in their order. Stores nothing. Error:
  /// the authorization cannot be adjudicated, or rules_unavailable when a terms rule fails.
  domain::Result<std::vector<domain::BoundedTerms>> terms_by_rail(const RequestContext& context,
                                                                  const std::string& authorization_id);

 private:
  struct Gathered;
  struct Decided;

  /// Reads the review and what belongs to it. Error: the claim cannot be advanced.
  domain::Result<Gathered> gather(const RequestContext& context, const AdjudicationRequest& request);
  /// Reads the exposure to the payer and the practice, and the details of the claim; null: it is not stored.
  void read_exposure(const ports::Records& records, const RequestContext& context, const std::string& payer_id,
                     const domain::ClaimDraft* claim, Gathered& gathered) const;
  /// Sets the account that is paid if the request names none. Error: none is known.
  domain::Status choose_account(const RequestContext& context, Gathered& gathered) const;
  /// The terms that the rules propose, within the limits of the service.
  Decided decide(const RequestContext& context, const Gathered& gathered, const std::string& rail,
                 bool payer_supports_advance, TermsExplanation* explanation);
  /// Moves the account, the reasons and the rules into the settlement.
  ports::StoredSettlement settlement_of(const RequestContext& context, Gathered& gathered, Decided& decided,
                                        domain::FundingPlan plan);
  /// The unit of work: checks the claim again, and writes the settlement with its events, task and response.
  domain::Status write(ports::Records& records, const RequestContext& context, const Gathered& gathered,
                       ports::StoredSettlement& stored, const domain::TaskId& task, const std::string& body);
  /// A payer decided on the claim before it was known here: updates the claim's status and returns the refusal.
  domain::Error follow(const RequestContext& context, const domain::Review& review, domain::ClaimStatus decided);

  ports::Store& store_;
  ports::PayerDirectory& payers_;
  ports::RulePolicy& rules_;
  ports::FundingRails& rails_;
  ports::IdSource& ids_;
  const ports::KeyedDigest& digests_;
  domain::TermsLimits limits_;
  int confirmation_days_;
};

}  // namespace tideover::usecases
