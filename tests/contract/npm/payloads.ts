// Compiles only if a payload of every webhook kind can be constructed from the generated types. It is never run.
import type { components, webhooks } from './openapi';

type Kind = keyof webhooks;
type Payload<K extends Kind> = webhooks[K]['post']['requestBody']['content']['application/json'];
type Data<K extends Kind> = NonNullable<Payload<K>['data']>;

// Every kind that an endpoint may subscribe to is a webhook, and the other way round.
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
export const kindsAreTheSame: Same<Kind, components['schemas']['EventKind']> = true;

function payload<K extends Kind>(event: K, data: Data<K>) {
  return {
    event,
    id: 'evt_01M9ZP58B00000000000000008',
    created_at: '2026-11-20T07:40:15.123Z',
    data,
    type: event,
    timestamp: '2026-11-20T07:40:15.123Z',
    api_version: '2026-11-20',
    environment: 'sandbox' as const,
    sequence: 42,
    resource_version: 1,
  };
}

const transfer = { settlement_id: 'stl_1', transfer_id: 'trf_1', rail: 'RTP' as const };
const decided = { settlement_id: 'stl_1', decision: 'approved' as const, status: 'approved' as const };
const task = { task_id: 'tsk_1', kind: 'manual_review' as const, object_id: 'stl_1' };
const posted = { id: 'rec_1', settlement_id: 'stl_1', payer_payment: 790, fee_collected: 12.8, final_status: 'settled' as const };
const imported = { job_id: 'imp_1', accepted_rows: 2, rejected_rows: 0 };
const rules = { version: '2026.11', sha256: '8e5f7ebb2768', previous_sha256: '' };

export const payloads: { [K in Kind]: Payload<K> } = {
  'review.completed': payload('review.completed', { id: 'rev_1', authorization_id: 'auth_1', claim_identifier: 'CLM-1', denial_predicted: false }),
  'adjudication.created': payload('adjudication.created', decided),
  'adjudication.review_required': payload('adjudication.review_required', { settlement_id: 'stl_1', task_id: 'tsk_1' }),
  'adjudication.decided': payload('adjudication.decided', decided),
  'settlement.funded': payload('settlement.funded', { ...transfer, funded_amount: 640 }),
  'settlement.canceled': payload('settlement.canceled', { settlement_id: 'stl_1', cancel_reason: 'expired' }),
  'funding.submitted': payload('funding.submitted', { ...transfer, effective_date: '2026-11-20' }),
  'funding.unknown': payload('funding.unknown', transfer),
  'funding.rejected': payload('funding.rejected', { ...transfer, code: 'AC04' }),
  'funding.settled': payload('funding.settled', transfer),
  'funding.returned': payload('funding.returned', { ...transfer, code: 'R02', returned_amount: 640 }),
  'payout.paid': payload('payout.paid', { ...transfer, amount: 137.2 }),
  'payout.unknown': payload('payout.unknown', { ...transfer, amount: 137.2 }),
  'payout.rejected': payload('payout.rejected', { ...transfer, amount: 137.2, code: 'AC04' }),
  'payout.settled': payload('payout.settled', { ...transfer, amount: 137.2 }),
  'payout.returned': payload('payout.returned', { ...transfer, amount: 137.2, code: 'R02' }),
  'task.opened': payload('task.opened', task),
  'task.closed': payload('task.closed', { ...task, decision: 'approve' }),
  'claim.status_changed': payload('claim.status_changed', { claim_id: 'clm_1', claim_identifier: 'CLM-1', status: 'paid',
    previous_status: 'submitted' }),
  'deposit.received': payload('deposit.received', { deposit_id: 'dep_1', amount: 790, status: 'unmatched' }),
  'deposit.unmatched': payload('deposit.unmatched', { deposit_id: 'dep_1', task_id: 'tsk_1' }),
  'remittance.received': payload('remittance.received', { remittance_id: 'rem_1', payment_amount: 790, claims: 1 }),
  'reconciliation.posted': payload('reconciliation.posted', posted),
  'reconciliation.adjusted': payload('reconciliation.adjusted', posted),
  'import.completed': payload('import.completed', { ...imported, status: 'succeeded' }),
  'import.failed': payload('import.failed', { ...imported, status: 'failed' }),
  'rules.promoted': payload('rules.promoted', rules),
  'rules.rolled_back': payload('rules.rolled_back', rules),
  'webhook.endpoint_disabled': payload('webhook.endpoint_disabled', { endpoint_id: 'whe_1', reason: 'gone', disabled_at: '2026-11-20T07:40:15.123Z' }),
  'event.ping': payload('event.ping', { endpoint_id: 'whe_1' }),
};

// A receiver narrows the union of all payloads by its kind.
export function summary(received: Payload<Kind>): string | number {
  switch (received.event) {
    case 'settlement.funded':
      return received.data.funded_amount;
    case 'webhook.endpoint_disabled':
      return received.data.reason;
    default:
      return received.event;
  }
}
