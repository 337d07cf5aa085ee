// What no recorded response has, by the keys of unseen.mjs: [reason, {place: names}]. contract_exchanges fails for a
// gap that is not here and for one that was seen, so that this table only becomes shorter.
export const kKnownUnseen = [
  ['a token lives for five minutes at least', {
    Unauthorized: 'token_expired',
    error: 'token_expired',
  }],
  ['reserved: this version never returns it', {
    Forbidden: 'baa_required tenant_suspended',
    error: 'baa_required tenant_suspended',
  }],
  ['one schema for a payer: only a search has it', {
    'getPayer 200': '/match',
  }],
  ['it needs data of an earlier version, or terms that changed meanwhile', {
    'replayReview 409': 'invalid_state',
    'createAdjudication 409': 'invalid_state',
    'quoteFunding 409': 'invalid_state',
  }],
  ['one schema for a settlement: this state does not occur here', {
    'createAdjudication 200':
      '/cancel_reason /funding/transfer_id /funding/reject /funding/return /funding/attempts[]/reject ' +
      '/funding/attempts[]/return /funded_amount /funded_at',
    'confirmSettlement 200': '/funding/desired_date',
    'changeFunding 200': '/cancel_reason /funding/return /funding/attempts[]/return /funded_amount /funded_at',
    'cancelSettlement 200': '/task_id /funding/return /funding/attempts[]/return /funded_amount /funded_at',
  }],
  ['one schema for all explained rules: a terms rule has no findings', {
    'createAdjudication 200':
      '/rules[]/shadow /rules[]/findings /rules[]/findings[]/line /rules[]/findings[]/amount_at_risk ' +
      '/rules[]/findings[]/fix /rules[]/problem /rules[]/applies_to /rules[]/missing /rules[]/read_more ' +
      '/rules[]/tables',
  }],
  ['it needs a remittance that waits beside its deposit', {
    'getReconciliation 200': '/announced[]/deposit_id',
  }],
  ['it needs a recourse rule that decides otherwise', {
    'getReconciliation 200': '/recourse[]/problem /recourse[]/relief /recourse[]/allocation_number /recourse[]/undoes',
  }],
  ['it needs a remittance of more than 500 claims whose posting is interrupted', {
    'listDeposits 200': '/data[]/posting',
    'postDeposit 200': '/posting',
    'getDeposit 200': '/posting',
    'returnDeposit 200': '/posting',
    'postDepositFile 200': '/items[]/deposit/posting',
    'listRemittances 200': '/data[]/posting',
    'postRemittance 200': '/remittances[]/posting',
    'getRemittance 200': '/posting',
    'simulateDeposit 200': '/posting',
    'simulateRemittance 200': '/remittances[]/posting',
  }],
  ['one schema for a deposit: lists have no records', {
    'listDeposits 200':
      '/data[]/records /data[]/records[]/number /data[]/records[]/deposit_id /data[]/records[]/remittance_id ' +
      '/data[]/records[]/trace_number',
  }],
  ['one schema for a deposit: this state does not occur here', {
    'returnDeposit 200': '/pooled_into /explain /explain[]/claim_index /explain[]/candidate_id',
    'postDepositFile 200': '/items[]/deposit/pooled_into /items[]/deposit/returned_date /items[]/deposit/return_reason',
    'simulateDeposit 200': '/effective_date /originator /pooled_into /returned_date /return_reason',
  }],
  ['one schema for a candidate: its subject has no claims, or none is doubtful', {
    'getDeposit 200': '/explain[]/claim_index',
    'getRemittance 200': '/explain[]/claim_index',
    'getTask 200': '/explain[]/claim_index',
  }],
  ['it needs a statement with lines that contradict deposits', {
    'getBankStatement 200': '/exceptions[]/line /exceptions[]/object_id',
    'getBankReconciliation 200': '/data[]/exceptions[]/object_id',
  }],
  ['it needs a line that a reviewer decided', {
    'getRemittance 200': '/allocation[]/task_id',
  }],
  ['it needs a recourse rule that decides about a recovery of a practice', {
    'getRemittance 200':
      '/recourse /recourse[]/event /recourse[]/amount /recourse[]/usual /recourse[]/decided /recourse[]/reasons ' +
      '/recourse[]/problem /recourse[]/rule_id /recourse[]/rule_rev /recourse[]/rules_version /recourse[]/facts ' +
      '/recourse[]/facts/days_since_funding /recourse[]/relief /recourse[]/release_on /recourse[]/record_id ' +
      '/recourse[]/allocation_number /recourse[]/undoes',
  }],
  ['it needs a payment above the charge in a task', {
    'getTask 200': '/proposals[]/excess_amount',
  }],
  ['one schema for a task: undoing opens it again', {
    'undoTask 200': '/votes[]/reason /decision /closed_at',
  }],
  ['one schema for an endpoint: a new one never failed', {
    'createWebhookEndpoint 200': '/disabled_reason /disabled_at /failing_since /previous_secrets_until',
  }],
  ['one schema for a delivery: a retry starts it again', {
    'retryWebhookDelivery 200': '/last_response_status /last_error /last_attempt_at',
  }],
  ['it needs a payout that contains an adjustment of a payer', {
    'getPayoutAdvice 200': '/lines[]/code',
  }],
  ['one schema for a bundle: this state does not occur here', {
    'approveRules 200': '/reason',
    'shadowRule 200': '/reason /approved_by',
  }],
  ['one schema for a remittance: a simulated one has none', {
    'simulateRemittance 200': '/remittances[]/paid_to_provider',
  }],
];

/** What depends on the moment: a run may see it or not. */
export const kByChance = [
  ['it needs an overload, a stop or a fault of the service', {
    InternalError: 'internal_error',
    Unavailable: 'shutting_down service_unavailable',
    'getHealth 503': 'service_unavailable shutting_down',
    RulesUnavailable: 'shutting_down service_unavailable',
    'createAdjudication 503': 'service_unavailable shutting_down',
    'confirmSettlement 503': 'service_unavailable shutting_down',
    'changeFunding 503': 'service_unavailable shutting_down',
    'payResidual 503': 'service_unavailable shutting_down',
    'payPractice 503': 'service_unavailable shutting_down',
    error: 'internal_error shutting_down service_unavailable',
  }],
  ['it needs another request at the same moment', {
    Busy: 'conflict idempotency_in_progress',
    ExternalIdInUse: 'conflict idempotency_in_progress',
    'createAdjudication 409': 'idempotency_in_progress conflict',
    'confirmSettlement 409': 'conflict idempotency_in_progress',
    'quoteFunding 409': 'idempotency_in_progress conflict',
    'changeFunding 409': 'idempotency_in_progress conflict',
    'payResidual 409': 'idempotency_in_progress conflict',
    'cancelSettlement 409': 'idempotency_in_progress conflict',
    'updateClaimStatus 409': 'idempotency_in_progress conflict',
    'cancelImport 409': 'idempotency_in_progress conflict',
    'returnDeposit 409': 'idempotency_in_progress conflict',
    'decideTask 409': 'idempotency_in_progress conflict',
    'undoTask 409': 'idempotency_in_progress conflict',
    'retryPickupFile 409': 'idempotency_in_progress conflict',
    ClientConflict: 'idempotency_in_progress conflict',
    'createWebhookEndpoint 409': 'idempotency_in_progress conflict',
    'testWebhookEndpoint 409': 'idempotency_in_progress conflict',
    'retryWebhookDelivery 409': 'idempotency_in_progress conflict',
    'closePeriod 409': 'idempotency_in_progress conflict',
    'reopenPeriod 409': 'idempotency_in_progress conflict',
    'payPractice 409': 'idempotency_in_progress conflict',
    'promoteRules 409': 'idempotency_in_progress conflict',
    'approveRules 409': 'idempotency_in_progress conflict',
    'rollBackRules 409': 'idempotency_in_progress conflict',
    'shadowRule 409': 'idempotency_in_progress conflict',
    ClockConflict: 'idempotency_in_progress conflict',
    TransferConflict: 'idempotency_in_progress conflict',
    error: 'conflict idempotency_in_progress',
  }],
  ['it needs a client that sends slowly', {
    error: 'request_timeout',
  }],
  ['the import has started or ended by then, or not', {
    'startImport 200': '/started_at /finished_at',
    'cancelImport 200': '/started_at',
  }],
];
