// Events for webhooks (openapi.yaml: Events; core/docs/contract.md#webhooks). They have ids and amounts only, never
// health information.
//
// `version` is that of the object with the change that the event reports: the settlement, the claim's status, the
// endpoint. version_of() has the rule for each kind.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/domain/claims/claim_status.hpp"
#include "core/domain/funding/settlement.hpp"
#include "core/domain/operations/import_job.hpp"
#include "core/domain/operations/task.hpp"
#include "core/domain/operations/webhook_endpoint.hpp"
#include "core/domain/reconciliation/reconciliation.hpp"
#include "core/domain/reconciliation/remittance.hpp"
#include "core/domain/reviews/review.hpp"

namespace tideover::domain {

struct ReviewCompleted {
  ReviewId review;
  AuthorizationId authorization;
  std::string claim_identifier;
  bool denial_predicted;
};
struct AdjudicationCreated {
  SettlementId settlement;
  Decision decision;
  SettlementStatus status;
};
struct AdjudicationDecided {
  SettlementId settlement;
  Decision decision;
  SettlementStatus status;
  int version;
};
struct ReviewRequired {
  SettlementId settlement;
  TaskId task;
};
struct SettlementFunded {
  SettlementId settlement;
  TransferId transfer;
  std::string rail;
  Money amount;
  int version;
};
/// The rail took an advance that it may still refuse or return: `funding_status` is `submitted`.
struct FundingSubmitted {
  SettlementId settlement;
  TransferId transfer;
  std::string rail;
  Date effective_date;
  int version;
};
struct FundingUnclear {
  SettlementId settlement;
  TransferId transfer;
  std::string rail;
  int version;
};
struct FundingSettled {
  SettlementId settlement;
  TransferId transfer;
  std::string rail;
  int version;
};
struct FundingReturned {
  SettlementId settlement;
  TransferId transfer;
  std::string rail;
  std::string code;
  Money amount;
  int version;
};
struct FundingRejected {
  SettlementId settlement;
  TransferId transfer;
  std::string rail;
  std::string code;
  int version;
};
/// The result of a payout of the residual, or of a payout to a practice; `code` is that of a refusal or return.
struct PayoutMoved {
  enum class Step { paid, unknown, rejected, settled, returned } step;
  PaymentSubject subject;
  TransferId transfer;
  std::string rail;
  std::string code;
  Money amount;
};
struct ClaimStatusChanged {
  std::string claim_identifier;
  ClaimStatus status;
  ClaimStatus previous;
  int version;
};
struct DepositReceived {
  DepositId deposit;
  Money amount;
  MatchState status;
};
struct DepositUnmatched {
  DepositId deposit;
  TaskId task;
  std::int64_t version;
};
struct RemittanceReceived {
  RemittanceId remittance;
  Money amount;
  int claims;
};
struct ReconciliationPosted {
  ReconciliationId id;
  SettlementId settlement;
  int number;
  Money payer_payment;
  Money fee_collected;
  FinalStatus status;
};
struct ImportFinished {
  ImportJobId job;
  ImportStatus status;
  std::int64_t accepted_rows;
  std::int64_t rejected_rows;
};
struct SettlementCanceled {
  SettlementId settlement;
  std::string reason;
  int version;
};
struct TaskOpened {
  TaskId task;
  std::string kind;
  std::string object_id;
};
struct TaskClosed {
  TaskId task;
  std::string kind;
  std::string object_id;
  std::string decision;
};
/// Other rules are live; `is_rollback`: the earlier ones again.
struct RulesSwitched {
  std::string version;
  std::string sha256;
  std::string previous_sha256;
  bool is_rollback;
  std::int64_t generation;
};
struct Ping {
  WebhookEndpointId endpoint;
  int version;
};
/// The service disabled an endpoint; never at the request of a client.
struct EndpointDisabled {
  WebhookEndpointId endpoint;
  DisabledReason reason;
  Timestamp disabled_at;
  int version;
};

using EventData =
    std::variant<ReviewCompleted, AdjudicationCreated, AdjudicationDecided, ReviewRequired, SettlementFunded,
                 FundingSubmitted, FundingUnclear, FundingRejected, FundingSettled, FundingReturned, PayoutMoved,
                 ClaimStatusChanged, DepositReceived, RemittanceReceived, ReconciliationPosted, ImportFinished,
                 SettlementCanceled, TaskOpened, TaskClosed, Ping, DepositUnmatched, RulesSwitched, EndpointDisabled>;

struct Event {
  EventId id;
  Timestamp created_at;
  EventData data;
};

/// "reconciliation.posted" and the like.
std::string_view kind_of(const EventData& data);
/// `resource_version`: orders the events about one object. Never smaller than that of an earlier event about it, and
/// the same for events of one change.
std::int64_t version_of(const EventData& data);
/// All kinds that an endpoint may subscribe to.
const std::vector<std::string_view>& event_kinds();

}  // namespace tideover::domain
