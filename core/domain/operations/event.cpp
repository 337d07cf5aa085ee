#include "core/domain/operations/event.hpp"

namespace tideover::domain {
namespace {

struct Kind {
  std::string_view operator()(const ReviewCompleted&) const { return "review.completed"; }
  std::string_view operator()(const AdjudicationCreated&) const { return "adjudication.created"; }
  std::string_view operator()(const AdjudicationDecided&) const { return "adjudication.decided"; }
  std::string_view operator()(const ReviewRequired&) const { return "adjudication.review_required"; }
  std::string_view operator()(const SettlementFunded&) const { return "settlement.funded"; }
  std::string_view operator()(const FundingUnclear&) const { return "funding.unknown"; }
  std::string_view operator()(const FundingRejected&) const { return "funding.rejected"; }
  std::string_view operator()(const FundingSettled&) const { return "funding.settled"; }
  std::string_view operator()(const FundingReturned&) const { return "funding.returned"; }
  std::string_view operator()(const PayoutMoved& data) const {
    switch (data.step) {
      case PayoutMoved::Step::paid:
        return "payout.paid";
      case PayoutMoved::Step::unknown:
        return "payout.unknown";
      case PayoutMoved::Step::rejected:
        return "payout.rejected";
      case PayoutMoved::Step::settled:
        return "payout.settled";
      case PayoutMoved::Step::returned:
        return "payout.returned";
    }
    return "payout.unknown";
  }
  std::string_view operator()(const ClaimStatusChanged&) const { return "claim.status_changed"; }
  std::string_view operator()(const DepositReceived&) const { return "deposit.received"; }
  std::string_view operator()(const DepositUnmatched&) const { return "deposit.unmatched"; }
  std::string_view operator()(const RemittanceReceived&) const { return "remittance.received"; }
  std::string_view operator()(const ReconciliationPosted& data) const {
    return data.payer_payment < Money{} ? "reconciliation.adjusted" : "reconciliation.posted";
  }
  std::string_view operator()(const ImportFinished& data) const {
    return data.status == ImportStatus::failed ? "import.failed" : "import.completed";
  }
  std::string_view operator()(const SettlementCanceled&) const { return "settlement.canceled"; }
  std::string_view operator()(const TaskOpened&) const { return "task.opened"; }
  std::string_view operator()(const TaskClosed&) const { return "task.closed"; }
  std::string_view operator()(const RulesSwitched& data) const {
    return data.is_rollback ? "rules.rolled_back" : "rules.promoted";
  }
  std::string_view operator()(const Ping&) const { return "event.ping"; }
  std::string_view operator()(const EndpointDisabled&) const { return "webhook.endpoint_disabled"; }
};

}  // namespace

std::string_view kind_of(const EventData& data) {
  return std::visit(Kind{}, data);
}

const std::vector<std::string_view>& event_kinds() {
  static const std::vector<std::string_view> kinds{"review.completed",
                                                   "adjudication.created",
                                                   "adjudication.review_required",
                                                   "adjudication.decided",
                                                   "settlement.funded",
                                                   "settlement.canceled",
                                                   "task.opened",
                                                   "task.closed",
                                                   "funding.unknown",
                                                   "funding.rejected",
                                                   "funding.settled",
                                                   "funding.returned",
                                                   "payout.paid",
                                                   "payout.unknown",
                                                   "payout.rejected",
                                                   "payout.settled",
                                                   "payout.returned",
                                                   "claim.status_changed",
                                                   "deposit.received",
                                                   "deposit.unmatched",
                                                   "remittance.received",
                                                   "reconciliation.posted",
                                                   "reconciliation.adjusted",
                                                   "import.completed",
                                                   "import.failed",
                                                   "rules.promoted",
                                                   "rules.rolled_back",
                                                   "webhook.endpoint_disabled",
                                                   "event.ping"};
  return kinds;
}

}  // namespace tideover::domain
