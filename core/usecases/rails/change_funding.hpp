// Changes how an unfunded settlement will be paid (openapi.yaml: PATCH /v1/settlements/{settlement_id}/funding): rail,
// day or payout account. Sends nothing: only a confirm pays.
//
// Threads: thread-safe. The rail and the rules are asked outside the transaction, which checks the settlement again and
// writes only the version that was read.
#pragma once
#include "core/ports/plugins/funding_rail.hpp"
#include "core/ports/plugins/payer_directory.hpp"
#include "core/ports/rules/rule_policy.hpp"
#include "core/usecases/claims/get_settlement.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

/// Absent members keep what the settlement has. Another rail starts without a desired date.
struct FundingChange {
  std::optional<std::string> rail;
  std::optional<domain::Date> desired_date;
  domain::Sensitive<std::string> payout_account_token;  // empty: absent
  std::optional<std::vector<std::string>> fallback{};   // an empty list: no other rail is tried
  Expected<SettlementView> expected{};
};

class ChangeFunding {
 public:
  /// `two_person_decisions`: the client that approved the review of a settlement does not change its funding.
  ChangeFunding(ports::Store& store, ports::PayerDirectory& payers, ports::RulePolicy& rules,
                ports::FundingRails& rails, ports::IdSource& ids, bool two_person_decisions)
      : store_(store),
        payers_(payers),
        rules_(rules),
        rails_(rails),
        ids_(ids),
        two_person_decisions_(two_person_decisions) {}

  /// Refuses rails that this service does not have, as the change itself does.
  domain::Status check(const FundingChange& change) const;

  /// Error `invalid_state` when a payment is or may be on its way, when the settlement has ended, or when the rules
  /// give other terms for the new rail. Error `version_conflict` when the settlement is not as expected, `conflict`
  /// when it changed at the same time.
  domain::Result<StoredResponse> operator()(const RequestContext& context, const std::string& settlement_id,
                                            const FundingChange& change, const Render<SettlementView>& render);

 private:
  domain::Result<domain::FundingPlan> plan(const RequestContext& context, const domain::Settlement& settlement,
                                           const FundingChange& change);
  /// Refuses rails for which the rules give other terms: the terms were made for the settlement's rail.
  domain::Status check_terms(const RequestContext& context, const domain::Settlement& settlement,
                             const FundingChange& change);

  ports::Store& store_;
  ports::PayerDirectory& payers_;
  ports::RulePolicy& rules_;
  ports::FundingRails& rails_;
  ports::IdSource& ids_;
  const bool two_person_decisions_;
};

}  // namespace tideover::usecases
