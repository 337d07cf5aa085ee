#include "core/domain/operations/event.hpp"

namespace tideover::domain {
namespace {

struct Kind {
  std::string_view operator()(const ReviewCompleted&) const { return "review.completed"; }
  std::string_view operator()(const AdjudicationCreated&) const { return "adjudication.created"; }
  std::string_view operator()(const AdjudicationDecided&) const { return "adjudication.decided"; }
  std::string_view operator()(const ReviewRequired&) const { return "adjudication.review_required"; }
  std::string_view operator()(const SettlementFunded&) const { return "settlement.funded"; }
  std::string_view operator()(const FundingSubmitted&) const { return "funding.submitted"; }
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

/// The first version of an object, for kinds of which an object has one event, and that at its creation or end.
constexpr std::int64_t kFirst = 1;

struct Version {
  std::int64_t operator()(const ReviewCompleted&) const { return kFirst; }
  std::int64_t operator()(const AdjudicationCreated&) const { return kFirst; }
  std::int64_t operator()(const ReviewRequired&) const { return kFirst; }
  std::int64_t operator()(const DepositReceived&) const { return kFirst; }
  std::int64_t operator()(const RemittanceReceived&) const { return kFirst; }
  std::int64_t operator()(const ImportFinished&) const { return kFirst; }
  std::int64_t operator()(const TaskOpened&) const { return kFirst; }
  std::int64_t operator()(const TaskClosed&) const { return kFirst + 1; }  // a closed task never opens again
  std::int64_t operator()(const ReconciliationPosted& data) const { return data.number; }
  std::int64_t operator()(const RulesSwitched& data) const { return data.generation; }
  /// A transfer goes through these steps in this order only; it may skip some.
  std::int64_t operator()(const PayoutMoved& data) const {
    switch (data.step) {
      case PayoutMoved::Step::unknown:
        return kFirst;
      case PayoutMoved::Step::paid:
        return kFirst + 1;
      case PayoutMoved::Step::settled:
        return kFirst + 2;
      case PayoutMoved::Step::rejected:
      case PayoutMoved::Step::returned:
        break;
    }
    return kFirst + 3;
  }
  template <class Versioned>
  std::int64_t operator()(const Versioned& data) const {
    return data.version;
  }
};

}  // namespace

std::string_view kind_of(const EventData& data) {
  return std::visit(Kind{}, data);
}

std::int64_t version_of(const EventData& data) {
  return std::visit(Version{}, data);
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
                                                   "funding.submitted",
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
