// Payments over a rail: advances, payouts of residuals and payouts to practices, by their progress.
import { cells } from './payments_cells.mjs';

const kPractice = '1999999984';

const advanceOf = (make) => async (tenant) => {
  const subject = await make(tenant);
  return { ...subject, purpose: 'advance' };
};

/** "purpose status"; "absent" for another tenant. */
async function observe(tenant, { id, transfer, purpose }) {
  if (purpose === 'practice payout') return `${purpose} ${(await tenant.get(`/v1/payouts/${transfer}`)).status}`;
  const { status: code, value } = await tenant.send('GET', `/v1/settlements/${id}`);
  if (code === 404) return 'absent';
  if (purpose === 'advance') return `advance ${value.funding.funding_status}`;
  const { payouts } = await tenant.get(`/v1/settlements/${id}/reconciliation`);
  return `payout ${payouts.find(({ transfer_id }) => transfer_id === transfer).status}`;
}

const payoutOf = (rail, after = async () => {}) => async (tenant) => {
  const subject = await tenant.funded({ rail });
  await tenant.pay(subject, 'paid');
  const { transfer_id: transfer } = await tenant.post(`/v1/settlements/${subject.id}/payouts`);
  await after(tenant, transfer);
  return { id: subject.id, transfer, purpose: 'payout' };
};

/** A payout to an account whose answers are lost. The advance, to the same account, settles by request. */
const lostPayout = (after = async () => {}) => async (tenant) => {
  const { id, transfer: advance } = await tenant.refused({ account: 'tok_timeout' }, 'rail_outcome_unknown');
  await tenant.post(`/v1/sandbox/transfers/${advance}/settle`);
  await tenant.pay({ id }, 'paid');
  await tenant.send('POST', `/v1/settlements/${id}/payouts`);
  const { payouts: [{ transfer_id: transfer }] } = await tenant.get(`/v1/settlements/${id}/reconciliation`);
  await after(tenant, transfer);
  return { id, transfer, purpose: 'payout' };
};

/** A payout to the practice, which is owed the residual of a settlement. */
const practicePayout = (rail, account, after = async () => {}) => async (tenant) => {
  await tenant.pay(await tenant.funded(), 'paid');
  await tenant.post(`/v1/payees/${kPractice}/account`, { payout_account_token: account, rail });
  await tenant.send('POST', `/v1/payees/${kPractice}/payouts`);
  const { data: [{ transfer_id: transfer }] } = await tenant.get('/v1/payouts?limit=1');
  await after(tenant, transfer);
  return { transfer, purpose: 'practice payout' };
};

const comesBack = (tenant, transfer) => tenant.post(`/v1/sandbox/transfers/${transfer}/return`, { code: 'R02' });
const settles = (tenant, transfer) => tenant.post(`/v1/sandbox/transfers/${transfer}/settle`);
const isRefused = (tenant, transfer) => tenant.post(`/v1/sandbox/transfers/${transfer}/reject`, { code: 'AC04' });

const states = {
  unknown: { text: 'Advance whose answer was lost', seen: 'advance unknown',
    make: advanceOf((tenant) => tenant.refused({ account: 'tok_timeout' }, 'rail_outcome_unknown')) },
  rejected: { text: 'Advance that the rail refused', seen: 'advance rejected',
    make: advanceOf((tenant) => tenant.refused({ rail: 'SAME_DAY', account: 'tok_ach_R03' }, 'rail_rejected')) },
  submitted: { text: 'Advance that the rail accepted', seen: 'advance submitted',
    make: advanceOf((tenant) => tenant.funded({ rail: 'SAME_DAY' })) },
  settled: { text: 'Advance over RTP that settled', seen: 'advance settled',
    make: advanceOf((tenant) => tenant.funded()) },
  'settled over ACH': { text: 'Advance over SAME_DAY that settled', seen: 'advance settled',
    make: advanceOf(async (tenant) => {
      const subject = await tenant.funded({ rail: 'SAME_DAY' });
      await settles(tenant, subject.transfer);
      return subject;
    }) },
  returned: { text: 'Advance that came back', seen: 'advance returned',
    make: advanceOf(async (tenant) => {
      const subject = await tenant.funded({ rail: 'SAME_DAY' });
      await comesBack(tenant, subject.transfer);
      return subject;
    }) },
  'payout unknown': { text: 'Payout of a residual whose answer was lost', seen: 'payout unknown', make: lostPayout() },
  'payout rejected': { text: 'Payout of a residual that the rail refused', seen: 'payout rejected',
    make: lostPayout(isRefused) },
  'payout submitted': { text: 'Payout of a residual that the rail accepted', seen: 'payout submitted',
    make: payoutOf('SAME_DAY') },
  'payout settled': { text: 'Payout of a residual over RTP that settled', seen: 'payout settled',
    make: payoutOf('RTP') },
  'payout settled over ACH': { text: 'Payout of a residual over SAME_DAY that settled', seen: 'payout settled',
    make: payoutOf('SAME_DAY', settles) },
  'payout returned': { text: 'Payout of a residual that came back', seen: 'payout returned',
    make: payoutOf('SAME_DAY', comesBack) },
  'practice payout unknown': { text: 'Payout to a practice whose answer was lost', alone: true,
    seen: 'practice payout unknown', make: practicePayout('RTP', 'tok_timeout'),
    drop: (tenant, { transfer }) => tenant.send('POST', `/v1/sandbox/transfers/${transfer}/settle`) },
  'practice payout rejected': { text: 'Payout to a practice that the rail refused', alone: true,
    seen: 'practice payout rejected', make: practicePayout('RTP', 'tok_suspended') },
  'practice payout submitted': { text: 'Payout to a practice that the rail accepted', alone: true,
    seen: 'practice payout submitted', make: practicePayout('SAME_DAY', 'tok_ok') },
  'practice payout settled': { text: 'Payout to a practice over RTP that settled', alone: true,
    seen: 'practice payout settled', make: practicePayout('RTP', 'tok_ok') },
  'practice payout settled over ACH': { text: 'Payout to a practice over SAME_DAY that settled', alone: true,
    seen: 'practice payout settled', make: practicePayout('SAME_DAY', 'tok_ok', settles) },
  'practice payout returned': { text: 'Payout to a practice that came back', alone: true,
    seen: 'practice payout returned', make: practicePayout('SAME_DAY', 'tok_ok', comesBack) },
  foreign: { text: 'Of another tenant', caller: 'foreign', seen: 'absent',
    make: advanceOf((tenant) => tenant.funded()) },
};

const simulate = (event, body) => (tenant, { transfer }) =>
  tenant.send('POST', `/v1/sandbox/transfers/${transfer}/${event}`, body);

const operations = {
  settle: { operation: 'settleSimulatedTransfer', label: 'Settle', call: simulate('settle') },
  return: { operation: 'returnSimulatedTransfer', label: 'Return', call: simulate('return', { code: 'R02' }) },
  reject: { operation: 'rejectSimulatedTransfer', label: 'Reject', call: simulate('reject', { code: 'R03' }) },
  get: { operation: 'getPayout', label: 'Get the payout',
    call: (tenant, { transfer }) => tenant.send('GET', `/v1/payouts/${transfer}`) },
  advice: { operation: 'getPayoutAdvice', label: 'Get the remittance advice',
    call: (tenant, { transfer }) => tenant.send('GET', `/v1/payouts/${transfer}/advice`) },
};

export const payments = {
  title: 'Payments', parameter: 'transfer_id', states, operations, observe, cells,
  // A payment that is being sent: see the settlements.
  values: [[['components', 'schemas', 'FundingStatus'], ['none', 'scheduled', 'pending_submission', 'canceled']]],
  intro: 'A payment is an advance, a payout of the residual of a settlement, or a payout to a practice.',
};
