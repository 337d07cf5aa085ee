// Settlements: their status with the progress of the advance, of the payer's payments and of the residual.
import { eventually } from '../service.mjs';
import { cells } from './settlements_cells.mjs';

const path = ({ id }, rest = '') => `/v1/settlements/${id}${rest}`;

/**
 * "status reason funding final_status residual payout"; "absent" for another tenant. The progress of the advance does
 * not matter once the payer has paid or the settlement has ended.
 */
async function observe(tenant, subject) {
  const { status: code, value: settlement } = await tenant.send('GET', path(subject));
  if (code === 404) return 'absent';
  const { status, cancel_reason: reason, decision, funding } = settlement;
  const { final_status: final, residual_due: due, payouts } = await tenant.get(path(subject, '/reconciliation'));
  const sum = due > 0 ? 'due' : due < 0 ? 'owed' : '-';
  const progress = status === 'canceled' || (status === 'funded' && final !== 'pending') ? '-' : funding.funding_status;
  return [status, reason ?? decision, progress, final, sum, payouts.at(-1)?.status ?? '-'].join(' ');
}

const decided = (decision) => async (tenant) => {
  const subject = await tenant.offer({ patient_primary_payor_id: 'TEST-REVIEW' });
  const { task_id } = await tenant.task('manual_review', subject.id);
  await tenant.post(`/v1/tasks/${task_id}/decide`, { decision, reason: 'State tables' });
  return subject;
};

const paid = (outcome, options) => async (tenant) => {
  const subject = await tenant.funded(options);
  await tenant.pay(subject, outcome);
  return subject;
};

/** A payment of the payer for a half of the charge. */
async function partlyPaid(tenant) {
  const subject = await tenant.funded({ submitted_amount: 200.4 });
  const day = await tenant.today();
  const trace_number = `HALF-${subject.id}`;
  await tenant.post('/v1/remittances', {
    payer_id: 'SAMPLE-80', trace_number, payment_date: day, payment_amount: 50,
    claims: [{ claim_identifier: subject.claim, status: '1', charge_amount: 100.2, paid_amount: 50 }],
  });
  await tenant.post('/v1/deposits', { payer_id: 'SAMPLE-80', amount: 50, received_date: day, trace_number });
  return subject;
}

const paidOut = (options, outcome = 'paid') => async (tenant) => {
  const subject = await paid(outcome, options)(tenant);
  await tenant.post(path(subject, '/payouts'));
  return subject;
};

async function takenBack(tenant) {
  const subject = await paidOut()(tenant);
  await tenant.post('/v1/sandbox/remittances', { settlement_id: subject.id, outcome: 'taken_back' });
  return subject;
}

/** A payout whose answer is lost. The advance, to the same account, settles by request. */
async function payoutUnknown(tenant) {
  const subject = await tenant.refused({ account: 'tok_timeout' }, 'rail_outcome_unknown');
  await tenant.post(`/v1/sandbox/transfers/${subject.transfer}/settle`);
  await tenant.pay(subject, 'paid');
  await tenant.send('POST', path(subject, '/payouts'));
  return subject;
}

async function payoutReturned(tenant) {
  const subject = await paid('paid', { rail: 'SAME_DAY' })(tenant);
  const { transfer_id } = await tenant.post(path(subject, '/payouts'));
  await tenant.post(`/v1/sandbox/transfers/${transfer_id}/return`, { code: 'R02' });
  return subject;
}

/** A confirmation that the bank keeps waiting: {.., answer} is a promise. */
async function beingPaid(tenant) {
  const subject = await tenant.offer({ rail: 'FUTURE_DATE', account: 'do:lost' });
  const answer = tenant.send('POST', path(subject, '/confirm'));
  await eventually('the payment is being sent', async () =>
    (await tenant.get(path(subject))).funding.funding_status === 'pending_submission');
  return { ...subject, answer };
}

async function returned(tenant) {
  const subject = await tenant.funded({ rail: 'SAME_DAY' });
  await tenant.post(`/v1/sandbox/transfers/${subject.transfer}/return`, { code: 'R02' });
  return subject;
}

async function canceled(tenant) {
  const subject = await tenant.offer();
  await tenant.post(path(subject, '/cancel'));
  return subject;
}

async function superseded(tenant) {
  const subject = await tenant.offer();
  await tenant.post('/v1/claims/reviews', tenant.claim({ claim_identifier: subject.claim, submitted_amount: 77.7 }));
  return subject;
}

const offered = (options) => (tenant) => tenant.offer(options);
const funded = (options) => (tenant) => tenant.funded(options);
const refused = (error, options) => (tenant) => tenant.refused(options, error);

const states = {
  offered: { text: '`pending_confirmation`, `decision: approved`', make: offered(),
    seen: 'pending_confirmation approved none pending - -' },
  'in review': { text: '`pending_confirmation`, `decision: manual_review`',
    make: offered({ patient_primary_payor_id: 'TEST-REVIEW' }),
    seen: 'pending_confirmation manual_review none pending - -' },
  approved: { text: '`approved`: by a reviewer', make: decided('approve'),
    seen: 'approved approved none pending - -' },
  declined: { text: '`declined`: by the rules or by a reviewer',
    make: offered({ patient_primary_payor_id: 'TEST-DECLINE' }), seen: 'declined declined none not_funded - -' },
  'being sent': { text: '`pending_confirmation`, `funding_status: pending_submission`', make: beingPaid,
    finish: (subjects) => Promise.all(subjects.map(({ answer }) => answer)),
    seen: 'pending_confirmation approved pending_submission pending - -' },
  unknown: { text: '`pending_confirmation`, `funding_status: unknown`',
    make: refused('rail_outcome_unknown', { account: 'tok_timeout' }),
    seen: 'pending_confirmation approved unknown pending - -' },
  rejected: { text: '`pending_confirmation`, `funding_status: rejected`; the account refuses every payment',
    make: refused('rail_rejected', { rail: 'SAME_DAY', account: 'tok_ach_R03' }),
    seen: 'pending_confirmation approved rejected pending - -' },
  submitted: { text: '`funded`, `funding_status: submitted`', make: funded({ rail: 'SAME_DAY' }),
    seen: 'funded approved submitted pending - -' },
  funded: { text: '`funded`, `funding_status: settled`, nothing paid', make: funded(),
    seen: 'funded approved settled pending - -' },
  partial: { text: '`funded`, `final_status: partial`', make: partlyPaid, seen: 'funded approved - partial - -' },
  settled: { text: '`funded`, `final_status: settled`, a residual is due', make: paid('paid'),
    seen: 'funded approved - settled due -' },
  'settled short': { text: '`funded`, `final_status: settled_short`', make: paid('short'),
    seen: 'funded approved - settled_short - -' },
  'settled over': { text: '`funded`, `final_status: settled_over`, a residual is due', make: paid('overpaid'),
    seen: 'funded approved - settled_over due -' },
  denied: { text: '`funded`, `final_status: denied`', make: paid('denied'),
    seen: 'funded approved - denied - -' },
  reversed: { text: '`funded`, `final_status: reversed`, the residual was paid out', make: takenBack,
    seen: 'funded approved - reversed owed settled' },
  'written off': { text: '`funded`, `final_status: written_off`', make: funded(),
    then: (tenant) => tenant.advance('P365D'), seen: 'funded approved - written_off - -' },
  'payout submitted': { text: '`settled`, a payout of the residual is on its way',
    make: paidOut({ rail: 'SAME_DAY' }), seen: 'funded approved - settled - submitted' },
  'payout unknown': { text: '`settled`, the answer to a payout was lost', make: payoutUnknown,
    seen: 'funded approved - settled - unknown' },
  'payout returned': { text: '`settled`, a payout came back, the residual is due again', make: payoutReturned,
    seen: 'funded approved - settled due returned' },
  'over, paid out': { text: '`settled_over`, the residual was paid out', make: paidOut({}, 'overpaid'),
    seen: 'funded approved - settled_over - settled' },
  'paid out': { text: '`settled`, the residual was paid out', make: paidOut(),
    seen: 'funded approved - settled - settled' },
  returned: { text: '`canceled`, `cancel_reason: funding_returned`', make: returned,
    seen: 'canceled funding_returned - not_funded - -' },
  canceled: { text: '`canceled`, `cancel_reason: requested`', make: canceled,
    seen: 'canceled requested - not_funded - -' },
  expired: { text: '`canceled`, `cancel_reason: expired`', make: offered(), then: (tenant) => tenant.advance('P8D'),
    seen: 'canceled expired - not_funded - -' },
  superseded: { text: '`canceled`, `cancel_reason: superseded`', make: superseded,
    seen: 'canceled superseded - not_funded - -' },
  foreign: { text: 'Of another tenant', caller: 'foreign', make: offered(), seen: 'absent' },
};

const simulate = (what, outcome) => (tenant, { id }) =>
  tenant.send('POST', `/v1/sandbox/${what}`, { settlement_id: id, outcome });

/** A remittance, then its deposit; the answer is that of the deposit. */
async function paidAsExpected(tenant, subject) {
  const answer = await simulate('remittances', 'paid')(tenant, subject);
  return answer.status === 200 ? simulate('deposits', 'paid')(tenant, subject) : answer;
}

const post = (rest) => (tenant, subject) => tenant.send('POST', path(subject, rest));

const operations = {
  get: { operation: 'getSettlement', label: 'Get', call: (tenant, subject) => tenant.send('GET', path(subject)) },
  reconciliation: { operation: 'getReconciliation', label: 'Get the reconciliation',
    call: (tenant, subject) => tenant.send('GET', path(subject, '/reconciliation')) },
  confirm: { operation: 'confirmSettlement', label: 'Confirm, with a new key', call: post('/confirm') },
  repeat: { operation: 'confirmSettlement', label: 'Confirm, without a key',
    call: (tenant, subject) =>
      tenant.send('POST', path(subject, '/confirm'), undefined, { 'Idempotency-Key': undefined }) },
  change: { operation: 'changeFunding', label: 'Change the funding',
    call: (tenant, subject) =>
      tenant.send('PATCH', path(subject, '/funding'), { rail: 'RTP', payout_account_token: 'tok_ok' }) },
  cancel: { operation: 'cancelSettlement', label: 'Cancel', call: post('/cancel') },
  payout: { operation: 'payResidual', label: 'Pay the residual', call: post('/payouts') },
  denial: { operation: 'simulateRemittance', label: 'Simulate a denial', call: simulate('remittances', 'denied') },
  payment: { operation: 'simulateDeposit', label: 'Simulate a payment', call: paidAsExpected },
  review: { operation: 'reviewClaim', label: 'Review the claim again',
    call: (tenant, { body }) => tenant.send('POST', '/v1/claims/reviews', body) },
};

export const settlements = {
  title: 'Settlements', parameter: 'settlement_id', states, operations, observe, cells,
  values: [
    [['components', 'schemas', 'SettlementStatus']],
    [['components', 'schemas', 'FundingStatus'], ['scheduled', 'canceled']],
    [['components', 'schemas', 'FinalStatus']],
    [['components', 'schemas', 'Adjudication', 'properties', 'cancel_reason']],
  ],
  intro: `The state of a settlement is its [status](settlements.md#status-of-a-settlement) with the progress of its
payments. A denial is a simulated remittance with \`outcome: denied\`; a payment is a remittance and a deposit with
\`outcome: paid\`. The claim is reviewed again with the same content.`,
};
