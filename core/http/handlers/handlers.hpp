// The handlers, one file per resource: decode, run the use case, encode. Each function adds its routes to the table.
// The objects that a handler refers to must outlive the table.
#pragma once
#include <functional>
#include <vector>

#include "core/domain/claims/reason_code.hpp"
#include "core/domain/ledger/account_map.hpp"
#include "core/http/rates/rate_limiter.hpp"
#include "core/http/route_table.hpp"
#include "core/http/wire/operations/health_json.hpp"
#include "core/ports/plugins/funding_rail.hpp"
#include "core/ports/rules/rule_library.hpp"
#include "core/usecases/access/clients.hpp"
#include "core/usecases/access/issue_token.hpp"
#include "core/usecases/audit/read_audit.hpp"
#include "core/usecases/banking/read_bank.hpp"
#include "core/usecases/claims/get_claim.hpp"
#include "core/usecases/claims/get_settlement.hpp"
#include "core/usecases/claims/look_up_payers.hpp"
#include "core/usecases/claims/update_claim_status.hpp"
#include "core/usecases/events/events.hpp"
#include "core/usecases/events/webhook_deliveries.hpp"
#include "core/usecases/events/webhook_endpoints.hpp"
#include "core/usecases/funding/cancel_settlement.hpp"
#include "core/usecases/funding/confirm_settlement.hpp"
#include "core/usecases/funding/create_adjudication.hpp"
#include "core/usecases/funding/pay_residual.hpp"
#include "core/usecases/imports/cancel_import.hpp"
#include "core/usecases/imports/read_imports.hpp"
#include "core/usecases/imports/start_import.hpp"
#include "core/usecases/learning/read_quality.hpp"
#include "core/usecases/ledger/close_period.hpp"
#include "core/usecases/ledger/export_ledger.hpp"
#include "core/usecases/payouts/pay_practices.hpp"
#include "core/usecases/payouts/payees.hpp"
#include "core/usecases/payouts/read_advice.hpp"
#include "core/usecases/pickup/read_pickup_files.hpp"
#include "core/usecases/quotes/quote_funding.hpp"
#include "core/usecases/rails/change_funding.hpp"
#include "core/usecases/reconciliation/get_reconciliation.hpp"
#include "core/usecases/reconciliation/learned_aliases.hpp"
#include "core/usecases/reconciliation/post_deposit.hpp"
#include "core/usecases/reconciliation/post_deposit_file.hpp"
#include "core/usecases/reconciliation/post_remittance.hpp"
#include "core/usecases/reconciliation/read_deposits.hpp"
#include "core/usecases/reconciliation/read_ledger.hpp"
#include "core/usecases/reconciliation/read_remittances.hpp"
#include "core/usecases/reconciliation/return_deposit.hpp"
#include "core/usecases/reviews/read_reviews.hpp"
#include "core/usecases/reviews/replay_review.hpp"
#include "core/usecases/reviews/review_claim.hpp"
#include "core/usecases/rules/read_rules.hpp"
#include "core/usecases/rules/release_by_request.hpp"
#include "core/usecases/sandbox/move_clock.hpp"
#include "core/usecases/sandbox/simulate_payments.hpp"
#include "core/usecases/sandbox/simulate_transfers.hpp"
#include "core/usecases/tasks/decide_task.hpp"
#include "core/usecases/tasks/read_tasks.hpp"

namespace tideover::http {

/// `limiter`: null without rate limits.
void add_token_route(RouteTable& routes, const usecases::IssueToken& issue_token, RateLimiter* limiter);
void add_document_routes(RouteTable& routes);
void add_health_route(RouteTable& routes, std::function<wire::Health()> health);
void add_metadata_routes(RouteTable& routes, const usecases::LookUpPayers& look_up_payers, ports::FundingRails& rails,
                         const std::vector<domain::ReasonCode>& reason_codes);
void add_review_routes(RouteTable& routes, usecases::ReviewClaim& review_claim);
void add_review_reading_routes(RouteTable& routes, const usecases::ReadReviews& reviews);
void add_replay_route(RouteTable& routes, usecases::ReplayReview& replay, ports::RuleLibrary& rules);
void add_adjudication_routes(RouteTable& routes, usecases::CreateAdjudication& create_adjudication,
                             ports::FundingRails& rails);
void add_settlement_routes(RouteTable& routes, usecases::ConfirmSettlement& confirm, usecases::CancelSettlement& cancel,
                           const usecases::GetSettlement& get_settlement,
                           const usecases::GetReconciliation& get_reconciliation, ports::FundingRails& rails);
/// Changes of a settlement's funding before it is confirmed.
void add_funding_routes(RouteTable& routes, usecases::ChangeFunding& change_funding, ports::FundingRails& rails);
void add_quote_route(RouteTable& routes, const usecases::QuoteFunding& quote_funding);
void add_payout_route(RouteTable& routes, usecases::PayResidual& pay_residual, ports::FundingRails& rails);
void add_payee_routes(RouteTable& routes, usecases::Payees& payees, usecases::PayPractice& pay_practice,
                      ports::FundingRails& rails);
void add_payout_advice_route(RouteTable& routes, const usecases::ReadAdvice& read_advice, ports::FundingRails& rails,
                             const domain::AdvicePayer& payer);
void add_claim_routes(RouteTable& routes, const usecases::GetClaim& get_claim,
                      usecases::UpdateClaimStatus& update_status, ports::FundingRails& rails);
void add_pickup_routes(RouteTable& routes, usecases::ReadPickupFiles& files);
void add_import_routes(RouteTable& routes, usecases::StartImport& start, usecases::CancelImport& cancel,
                       const usecases::ReadImports& imports);
void add_deposit_routes(RouteTable& routes, usecases::PostDeposit& post_deposit,
                        usecases::ReturnDeposit& return_deposit);
void add_bank_routes(RouteTable& routes, const usecases::ReadBank& bank);
void add_deposit_reading_routes(RouteTable& routes, const usecases::ReadDeposits& deposits);
void add_deposit_file_route(RouteTable& routes, usecases::PostDepositFile& post_deposit_file,
                            ports::PayloadDecoder& decoder);
void add_remittance_routes(RouteTable& routes, usecases::PostRemittance& post_remittance,
                           ports::PayloadDecoder& decoder);
void add_remittance_reading_routes(RouteTable& routes, const usecases::ReadRemittances& remittances);
void add_event_routes(RouteTable& routes, usecases::Events& events);
void add_alias_routes(RouteTable& routes, usecases::PayerAliases& of_payers, usecases::PayeeAliases& of_payees);
void add_client_routes(RouteTable& routes, usecases::Clients& clients, const domain::Roles& roles);
void add_webhook_routes(RouteTable& routes, usecases::WebhookEndpoints& endpoints,
                        usecases::WebhookDeliveries& deliveries);
void add_task_routes(RouteTable& routes, const usecases::ReadTasks& tasks, usecases::DecideTask& decide);
void add_ledger_routes(RouteTable& routes, const usecases::ReadLedger& ledger);
void add_ledger_export_routes(RouteTable& routes, const usecases::ReadLedger& balances,
                              const usecases::ExportLedger& ledger, const domain::AccountMap& accounts);
void add_ledger_period_routes(RouteTable& routes, usecases::ClosePeriod& periods);
void add_quality_routes(RouteTable& routes, usecases::ReadQuality& read_quality);
void add_audit_route(RouteTable& routes, const usecases::ReadAudit& audit);
void add_rule_routes(RouteTable& routes, const usecases::ReadRules& rules);
void add_release_routes(RouteTable& routes, usecases::ReleaseByRequest& release);
/// For a service of the sandbox only.
void add_sandbox_routes(RouteTable& routes, usecases::MoveClock& clock);
void add_simulation_routes(RouteTable& routes, usecases::SimulatePayments& payments,
                           usecases::SimulateTransfers& transfers);

}  // namespace tideover::http
