// All use cases of a running service, constructed on its infrastructure.
#pragma once
#include "core/node/stored_rules.hpp"
#include "core/service/infrastructure.hpp"
#include "core/usecases/access/issue_token.hpp"
#include "core/usecases/audit/note_checkpoint.hpp"
#include "core/usecases/audit/read_audit.hpp"
#include "core/usecases/banking/read_bank.hpp"
#include "core/usecases/claims/get_claim.hpp"
#include "core/usecases/claims/get_settlement.hpp"
#include "core/usecases/claims/look_up_payers.hpp"
#include "core/usecases/claims/update_claim_status.hpp"
#include "core/usecases/events/events.hpp"
#include "core/usecases/events/webhook_endpoints.hpp"
#include "core/usecases/funding/cancel_settlement.hpp"
#include "core/usecases/funding/confirm_settlement.hpp"
#include "core/usecases/funding/create_adjudication.hpp"
#include "core/usecases/funding/follow_up_payments.hpp"
#include "core/usecases/funding/pay_residual.hpp"
#include "core/usecases/funding/reconcile_rails.hpp"
#include "core/usecases/funding/replay_journal.hpp"
#include "core/usecases/funding/resolve_disbursements.hpp"
#include "core/usecases/imports/cancel_import.hpp"
#include "core/usecases/imports/read_imports.hpp"
#include "core/usecases/imports/run_import.hpp"
#include "core/usecases/imports/start_import.hpp"
#include "core/usecases/learning/keep_learning_journal.hpp"
#include "core/usecases/learning/learner.hpp"
#include "core/usecases/learning/put_learning_aside.hpp"
#include "core/usecases/learning/read_quality.hpp"
#include "core/usecases/ledger/close_period.hpp"
#include "core/usecases/ledger/export_ledger.hpp"
#include "core/usecases/nodes/shared_work.hpp"
#include "core/usecases/payouts/pay_practices.hpp"
#include "core/usecases/payouts/payees.hpp"
#include "core/usecases/pickup/post_picked_file.hpp"
#include "core/usecases/pickup/read_pickup_files.hpp"
#include "core/usecases/reconciliation/get_reconciliation.hpp"
#include "core/usecases/reconciliation/payer_aliases.hpp"
#include "core/usecases/reconciliation/post_deposit.hpp"
#include "core/usecases/reconciliation/post_deposit_file.hpp"
#include "core/usecases/reconciliation/post_remittance.hpp"
#include "core/usecases/reconciliation/read_deposits.hpp"
#include "core/usecases/reconciliation/read_ledger.hpp"
#include "core/usecases/reconciliation/read_remittances.hpp"
#include "core/usecases/reconciliation/report_waiting.hpp"
#include "core/usecases/reconciliation/return_deposit.hpp"
#include "core/usecases/reconciliation/write_off_overdue.hpp"
#include "core/usecases/reviews/read_reviews.hpp"
#include "core/usecases/reviews/replay_review.hpp"
#include "core/usecases/reviews/review_claim.hpp"
#include "core/usecases/rules/read_rules.hpp"
#include "core/usecases/rules/release_by_request.hpp"
#include "core/usecases/rules/shadow_failing_rule.hpp"
#include "core/usecases/tasks/decide_task.hpp"
#include "core/usecases/tasks/read_tasks.hpp"

namespace tideover::service {

// Members are in order of construction: some use cases call others.
struct UseCases {
  /// Both arguments must outlive it.
  explicit UseCases(Infrastructure& node);

  usecases::Learner learner;
  usecases::KeepLearningJournal learning_journal;
  usecases::SharedWork keeping_journal;
  usecases::IssueToken issue_token;
  usecases::LookUpPayers look_up_payers;
  usecases::ReviewClaim review_claim;
  node::StoredRules stored_rules;
  usecases::ShadowFailingRule shadow_failing_rule;
  usecases::ReplayReview replay_review;
  usecases::ReadReviews read_reviews;
  usecases::ReadQuality read_quality;
  usecases::CreateAdjudication create_adjudication;
  usecases::Disburse disburse;
  usecases::ConfirmSettlement confirm_settlement;
  usecases::PayResidual pay_residual;
  usecases::PayResiduals pay_residuals;
  usecases::PayPractice pay_practice;
  usecases::PayPractices pay_practices;
  usecases::Payees payees;
  usecases::CancelSettlement cancel_settlement;
  usecases::GetReconciliation get_reconciliation;
  usecases::GetSettlement get_settlement;
  usecases::GetClaim get_claim;
  usecases::UpdateClaimStatus update_claim_status;
  usecases::StartImport start_import;
  usecases::CancelImport cancel_import;
  usecases::ReadImports read_imports;
  usecases::RunImport run_import;
  usecases::PostDeposit post_deposit;
  usecases::PostDepositFile post_deposit_file;
  usecases::ReturnDeposit return_deposit;
  usecases::PostRemittance post_remittance;
  usecases::PostInChunks post_in_chunks;
  usecases::PostPickedFile post_picked_file;
  usecases::ReadPickupFiles read_pickup_files;
  usecases::WebhookEndpoints webhook_endpoints;
  usecases::Events published_events;
  usecases::ReadLedger read_ledger;
  usecases::ExportLedger export_ledger;
  usecases::ClosePeriod close_period;
  usecases::ReadAudit read_audit;
  usecases::ReadRules read_rules;
  usecases::ReleaseByRequest release_by_request;
  usecases::ResolveDisbursements resolve_disbursements;
  usecases::ReplayJournal replay_journal;
  usecases::FollowUpPayments follow_up_payments;
  usecases::ReconcileRails reconcile_rails;
  usecases::SharedWork reconciling;
  usecases::ExpireSettlements expire_settlements;
  usecases::WriteOffOverdue write_off_overdue;
  usecases::ReportWaiting report_waiting;
  usecases::ReadDeposits read_deposits;
  usecases::ReadBank read_bank;
  usecases::PayerAliases payer_aliases;
  usecases::ReadRemittances read_remittances;
  usecases::ReadTasks read_tasks;
  usecases::DecideTask decide_task;
  usecases::NoteCheckpoint checkpoint_notes;
};

}  // namespace tideover::service
