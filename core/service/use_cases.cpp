#include "core/service/use_cases.hpp"

#include <algorithm>

#include "core/node/start.hpp"
#include "core/service/funding_jobs.hpp"
#include "core/service/learning_job.hpp"
#include "core/service/sandbox_jobs.hpp"

namespace tideover::service {
namespace {

/// How much longer than its slowest steps the worker of an attempt may be silent before another worker takes over.
constexpr auto kLeaseMargin = std::chrono::seconds(5);

bool two_person_decisions(const settings::Settings& settings) {
  using settings::TwoPersonDecisions;
  const auto wanted = settings.funding.two_person_decisions;
  return wanted == TwoPersonDecisions::always ||
         (wanted == TwoPersonDecisions::in_production && settings.environment == domain::Environment::production);
}

/// nullopt: no write-off needs an approval because of its amount.
std::optional<domain::Money> approval_bound(const settings::Settings& settings) {
  const auto cents = settings.reconciliation.write_off_approval_above;
  return cents < 0 ? std::nullopt : std::optional(domain::Money::cents(cents));
}

}  // namespace

UseCases::UseCases(Infrastructure& node)
    : learner(*node.store, node.digests, {}, usecases::PutLearningAside(*node.store, node.clock, node.ids)),
      learning_journal(*node.store, node.tenant_clock, learner),
      keeping_journal(*node.store, node.clock, "learning_journal", node::node_name(node.settings), LearningJob::kLease),
      failed_authentications(
          {node.settings.security.token_failures, node.settings.security.token_failure_wait_seconds}),
      issue_token(*node.store, node.credentials, node.clock, node.ids, failed_authentications,
                  node.settings.environment, node.settings.security.access_token_seconds),
      clients(*node.store, node.credentials, node.clock, node.ids),
      look_up_payers(node.plugins->payers()),
      review_claim(*node.store, node.plugins->payers(), node.rules, node.digests, node.ids, node.reason_codes,
                   node.settings.funding.authorization_days, &learner),
      stored_rules(*node.store, node.rule_options),
      shadow_failing_rule(*node.store, node.clock, node.ids, node.release_rules, stored_rules,
                          {"node " + node::node_name(node.settings), node.settings.rules.operator_tenant}),
      replay_review(*node.store, node.digests, node.reason_codes, node.settings.environment),
      read_reviews(*node.store),
      read_quality(*node.store, node.digests, learner),
      create_adjudication(*node.store, node.plugins->payers(), node.rules, node.plugins->rails(), node.ids,
                          node.digests, node::terms_limits(node.settings), node.settings.funding.confirmation_days),
      quote_funding(create_adjudication, node.plugins->rails(), node.bank_time),
      disburse(
          *node.store, node.plugins->rails(), *node.journal, node.tenant_clock, node.ids, node.digests,
          {std::chrono::milliseconds(node.settings.funding.submit_timeout_ms), node.settings.funding.resolve_seconds,
           2 * std::chrono::milliseconds(node.settings.funding.submit_timeout_ms) + kLeaseMargin,
           node::sender_name(node.settings), node.settings.funding.payout_rail, &node.rules}),
      confirm_settlement(*node.store, node.rules, disburse, node.ids,
                         {std::chrono::milliseconds(node.settings.funding.wait_ms),
                          std::max(1, node.settings.server.worker_threads / 2)}),
      pay_residual(*node.store, disburse, node.ids,
                   node.settings.funding.residual_payouts != settings::ResidualPayouts::never),
      pay_residuals(*node.store, disburse, node.ids,
                    domain::Money::cents(node.settings.funding.residual_minimum_cents)),
      pay_practice(*node.store, disburse, node.ids,
                   node.settings.funding.residual_payouts != settings::ResidualPayouts::never),
      pay_practices(*node.store, disburse, node.ids, node.tenant_clock,
                    domain::Money::cents(node.settings.funding.residual_minimum_cents),
                    node.settings.funding.payout_hold_days),
      payees(*node.store, node.plugins->rails(), node.ids, node.settings.funding.payout_rail),
      read_advice(*node.store),
      cancel_settlement(*node.store, node.ids, &node.rules),
      change_funding(*node.store, node.plugins->payers(), node.rules, node.plugins->rails(), node.ids,
                     two_person_decisions(node.settings)),
      get_reconciliation(*node.store),
      get_settlement(*node.store),
      get_claim(*node.store),
      update_claim_status(*node.store, node.ids),
      start_import(*node.store, node.plugins->imports(), node.decoder, node.digests, node.ids,
                   node.settings.limits.import_rows),
      cancel_import(*node.store, node.ids),
      read_imports(*node.store),
      run_import(*node.store, review_claim, node.plugins->imports(), node.decoder, node.tenant_clock, node.ids,
                 {node.settings.environment, node.settings.imports.chunk_rows, node.settings.limits.import_rows,
                  node.settings.imports.lease_seconds,
                  [&node](std::int64_t accepted, std::int64_t rejected) {
                    node.metrics.import_rows(static_cast<std::size_t>(accepted), static_cast<std::size_t>(rejected));
                  }}),
      post_deposit(*node.store, node.plugins->payers(), node.ids, &node.rules),
      post_deposit_file(*node.store, node.plugins->deposits(), node.digests, node.ids, &node.rules),
      return_deposit(*node.store, node.ids, &node.rules),
      post_remittance(*node.store, node.plugins->payers(), node.plugins->remittances(), node.digests, node.ids,
                      &node.rules),
      post_in_chunks(*node.store, node.ids, &node.rules),
      post_picked_file(*node.store, {node.plugins->remittances(), node.plugins->deposits(), node.plugins->imports()},
                       post_remittance, post_deposit_file, start_import),
      read_pickup_files(*node.store, node.ids),
      webhook_endpoints(
          *node.store, node.credentials, node.ids,
          [&node](std::string_view url) { return events::check_webhook_url(url, node.egress); },
          static_cast<std::size_t>(node.settings.webhooks.endpoints_per_tenant)),
      webhook_deliveries(*node.store, node.ids),
      published_events(*node.store, node.ids),
      read_ledger(*node.store),
      export_ledger(*node.store),
      close_period(*node.store, node.ids),
      read_audit(*node.store),
      read_rules(*node.store, node.rules, node.settings.rules.operator_tenant),
      release_by_request(*node.store, node.release_rules, stored_rules, node.ids, node.settings.rules.operator_tenant),
      resolve_disbursements(*node.store, disburse, node.tenant_clock, node::sender_name(node.settings)),
      replay_journal(*node.store, disburse, node.plugins->rails(), *node.journal, node.clock, node.ids,
                     std::chrono::milliseconds(node.settings.funding.submit_timeout_ms)),
      follow_up_payments(*node.store, disburse, node.plugins->rails(), node.tenant_clock, node.ids,
                         {std::chrono::milliseconds(node.settings.funding.submit_timeout_ms),
                          2 * std::chrono::milliseconds(node.settings.funding.submit_timeout_ms) + kLeaseMargin,
                          usecases::FollowUpOptions{}.ask_again_after_s}),
      reconcile_rails(*node.store, disburse, node.plugins->rails(), *node.journal, node.tenant_clock, node.ids,
                      node::reconcile_options(node.settings)),
      reconciling(*node.store, node.clock, "reconcile_rails", node::node_name(node.settings),
                  ReconcileRailsJob::kLease),
      expire_settlements(*node.store, node.ids, node.tenant_clock, &node.rules),
      write_off_overdue(*node.store, node.rules, node.ids, node.tenant_clock, approval_bound(node.settings)),
      report_waiting(*node.store, node.rules, node.ids, node.tenant_clock),
      release_reserves(*node.store, node.ids, node.tenant_clock),
      read_deposits(*node.store),
      read_bank(*node.store),
      payer_aliases(*node.store, node.ids),
      payee_aliases(*node.store, node.ids),
      read_remittances(*node.store),
      read_tasks(*node.store),
      decide_task(*node.store, disburse, node.plugins->payers(), node.ids, two_person_decisions(node.settings),
                  &node.rules),
      checkpoint_notes(*node.store, *node.checkpoints, node.clock, {}),
      simulate_payments(*node.store, post_remittance, post_deposit, node.tenant_clock),
      simulate_transfers(*node.store, disburse, node.plugins->rails(), node.ids),
      move_clock(
          *node.store, node.ids,
          [&node](clock::TenantClock::Shifts shifts) { node.tenant_clock.publish(std::move(shifts)); },
          [this, &node] { run_due_jobs(*this, node); }) {}

}  // namespace tideover::service
