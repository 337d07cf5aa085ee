// What payers and banks send: paid, short, denied, overpaid, taken back, returned, unknown; and the tasks of it.
import { adjudicate, advance, deposit, funded, pathOf, remittance, review, today } from './money_path.mjs';
import { refused } from './session.mjs';

const post = (session, kind, body, expected) => session.post(`/v1/${kind}`, body, expected);
const line = (identifier, paid, more = {}) => ({
  claim_identifier: identifier, status: '1', charge_amount: 1000, paid_amount: paid,
  adjustments: [{ group: 'CO', code: '45', amount: 1000 - paid }], ...more,
});
const openTask = async (session, kind) => {
  const { data } = await session.get(`/v1/tasks?status=open&kind=${kind}&limit=100`);
  if (data.length === 0) throw new Error(`no open task ${kind}`);
  return data[0];
};
const decide = (session, { task_id }, decision, more = {}) =>
  session.post(`/v1/tasks/${task_id}/decide`, { decision, reason: 'Scenario', ...more });

/** A remittance with everything that one can say about a claim. */
async function paidInFull(session) {
  const terms = await funded(session, { payer: 'SAMPLE-80' });
  const trace = session.name('TRC');
  const whole = line(terms.claim_identifier, 790, {
    payer_claim_number: 'ICN-1', patient_responsibility: 10, date_of_service: today(), received_date: today(),
    adjustments: [{ group: 'CO', code: '45', amount: 200 }, { group: 'PR', code: '3', amount: 10 }],
    service_lines: [{ cpt: '99213', modifier: '25', units: 1, submitted_cpt: '99214', submitted_modifier: '59',
      charge_amount: 1000, allowed_amount: 800, paid_amount: 790, date_of_service: today(),
      adjustments: [{ group: 'CO', code: '45', amount: 200 }, { group: 'PR', code: '3', amount: 10 }] }],
  });
  const notice = remittance([whole], { trace, amount: 790, payer: 'SAMPLE-80', originator_id: '1999999984',
    payee_npi: '1999999984', payee_tax_id: '99-9999999', payee_assigned_id: 'P-1', payment_method: 'ACH' });
  const { remittances: [{ remittance_id }] } = await post(session, 'remittances', notice);
  await session.get(`${pathOf(terms)}/reconciliation`);
  const money = { ...deposit(790, trace, { payer_id: 'SAMPLE-80' }), external_id: session.name('bank'),
    effective_date: today(), originator: '1999999984' };
  const { deposit_id } = await post(session, 'deposits', money);
  await post(session, 'deposits', money);
  await session.get(`${pathOf(terms)}/reconciliation?explain=true`);
  await session.get(`/v1/remittances/${remittance_id}?explain=true`);
  await session.post(`${pathOf(terms)}/payouts`);
  await session.post(`${pathOf(terms)}/payouts`, undefined, refused(409, 'invalid_state'));
  return { terms, deposit_id };
}

/** The bank takes a deposit back. */
async function returnedDeposit(session) {
  const terms = await funded(session, { payer: 'SAMPLE-80' });
  const trace = session.name('TRC');
  await post(session, 'remittances', remittance([line(terms.claim_identifier, 700)],
    { trace, amount: 700, payer: 'SAMPLE-80' }));
  const money = { ...deposit(700, trace, { payer_id: 'SAMPLE-80' }), external_id: session.name('bank'),
    effective_date: today(), originator: '1999999984' };
  const { deposit_id } = await post(session, 'deposits', money);
  const back = { returned_date: today(), reason: 'stop payment' };
  await session.post(`/v1/deposits/${deposit_id}/return?explain=true`, back, { status: null });
  await session.post(`/v1/deposits/${deposit_id}/return`, back);
  await session.post(`/v1/deposits/${deposit_id}/return`, back, refused(409, 'invalid_state'));
  await post(session, 'deposits', money);  // its external_id finds what became of it
  await session.get(`/v1/deposits?status=returned`);
}

/** Several deposits that pay one remittance. */
async function pooled(session) {
  const terms = await funded(session, { payer: 'SAMPLE-80' });
  const trace = session.name('TRC');
  const parts = [300, 400].map((amount) =>
    deposit(amount, trace, { payer_id: 'SAMPLE-80', external_id: session.name('bank') }));
  for (const part of parts) await post(session, 'deposits', part);
  await post(session, 'remittances', remittance([line(terms.claim_identifier, 700)],
    { trace, amount: 700, payer: 'SAMPLE-80' }));
  for (const part of parts) await post(session, 'deposits', part);
  await session.get('/v1/deposits?limit=100');
}

/** A takeback that the payer withholds later, with a forward balance, and one of a claim that was never advanced. */
async function takenBack(session) {
  const terms = await funded(session, { payer: 'SAMPLE-80' });
  const pay = async (claims, amount, more = {}) => {
    const trace = session.name('TRC');
    await post(session, 'remittances', remittance(claims, { trace, amount, payer: 'SAMPLE-80', ...more }));
    if (amount > 0) await post(session, 'deposits', deposit(amount, trace, { payer_id: 'SAMPLE-80' }));
  };
  await pay([line(terms.claim_identifier, 790)], 790);
  const reversal = { claim_identifier: terms.claim_identifier, status: '22', charge_amount: -1000, paid_amount: -790,
    adjustments: [{ group: 'CO', code: '45', amount: -210 }] };
  const forward = { code: 'FB', reference: 'FB-1', amount: -790, provider_id: '1999999984' };
  await pay([reversal], 0, { provider_adjustments: [forward] });
  const other = (await review(session, 'SAMPLE-80')).claim_identifier;
  await pay([line(other, 900)], 110, { provider_adjustments: [{ code: 'FB', reference: 'FB-1', amount: 790 }] });
  await session.get(`${pathOf(terms)}/reconciliation`);
  await session.get('/v1/remittances?limit=100');
}

/** A remittance whose claims are certain teaches the names of its payer and payee; another one is read by them. */
async function aliases(session) {
  const { claim_identifier } = await funded(session, { payer: 'SAMPLE-80' });
  const names = { payee_tax_id: '51-2345678', payee_assigned_id: 'P-7', originator_id: '1777777777' };
  for (const claim of [claim_identifier, session.name('NO-ADVANCE')]) {
    const trace = session.name('TRC');
    await post(session, 'deposits', deposit(790, trace, { payer_id: 'UNLISTED' }));
    const told = { trace, amount: 790, payer: 'UNLISTED', ...names };
    await post(session, 'remittances', remittance([line(claim, 790)], told));
  }
  await session.get('/v1/payers/aliases');
  await session.get('/v1/payee_aliases');
}

async function simulated(session) {
  for (const outcome of ['paid', 'short', 'denied', 'overpaid', 'taken_back', 'reversed']) {
    const { settlement_id } = await funded(session, { payer: 'SAMPLE-80' });
    const money = { settlement_id, outcome };
    if (['paid', 'short', 'overpaid'].includes(outcome)) await post(session, 'sandbox/deposits', money);
    await post(session, 'sandbox/remittances', money);
    await post(session, 'sandbox/deposits', money, { status: null });
  }
}

/** Money that only a reviewer can place. */
async function tasks(session) {
  const terms = await adjudicate(session, { payer: 'TEST-REVIEW' });
  const task = await openTask(session, 'manual_review');
  await session.post(`/v1/tasks/${task.task_id}/decide`, { decision: 'nonsense' }, refused(400, 'validation_error'));
  await session.post(`/v1/tasks/${task.task_id}/decide`, { decision: 'approve', reason: 'Outdated' },
    refused(412, 'version_conflict', { headers: { 'If-Match': '"v9"' } }));
  await decide(session.as(await session.tokenOf()), task, 'approve');
  await session.get(`/v1/tasks/${task.task_id}?explain=true`);
  await session.get(pathOf(terms));
  await session.post(`/v1/tasks/${task.task_id}/decide`, { decision: 'approve', reason: 'Again' },
    refused(409, 'invalid_state'));

  const advanced = await funded(session, { payer: 'SAMPLE-80' });
  await post(session, 'deposits', { payer_id: 'SAMPLE-80', amount: 650.5, received_date: today() });
  const unmatched = await openTask(session, 'deposit_unmatched');
  await session.get(`/v1/tasks/${unmatched.task_id}?explain=true`);
  await decide(session, unmatched, 'release');
  await session.post(`/v1/tasks/${unmatched.task_id}/undo`, { reason: 'Wrong practice' });
  await session.post(`/v1/tasks/${unmatched.task_id}/undo`, { reason: 'Again' }, refused(409, 'invalid_state'));
  const tooMuch = line(advanced.claim_identifier, 1200);
  await post(session, 'remittances', remittance([tooMuch],
    { trace: session.name('TRC'), amount: 1200, payer: 'SAMPLE-80' }));
  await session.get('/v1/tasks?limit=100');
}

/** Payouts to a practice that the rail takes, returns, refuses and does not answer. */
async function payees(session) {
  const practice = '/v1/payees/1999999984';
  const owe = async () => {
    const { settlement_id } = await funded(session, { payer: 'SAMPLE-80' });
    for (const kind of ['deposits', 'remittances'])
      await post(session, `sandbox/${kind}`, { settlement_id, outcome: 'paid' });
  };
  const pay = async (account, expected) => {
    await session.post(`${practice}/account`, { payout_account_token: account, rail: 'SAME_DAY' });
    return session.post(`${practice}/payouts`, undefined, expected);
  };
  const { transfer_id } = await pay('tok_ok');
  await session.get(`/v1/payouts/${transfer_id}/advice`);
  await pay('tok_ok', refused(409, 'invalid_state'));
  await owe();
  await pay('tok_suspended', refused(409, 'rail_rejected'));
  await session.get(practice);
  await pay('tok_ach_return_R02');
  await advance(session, 'P9D');
  await session.get(practice);
  await pay('tok_timeout', refused(503, 'rail_outcome_unknown'));
  await session.until('/v1/payouts', ({ data: [last] }) => last.status !== 'unknown');
}

/** Receivables that nobody pays: a task, then a write-off. */
async function overdue(session) {
  await funded(session, { payer: 'SAMPLE-80' });
  await advance(session, 'P120D');
  await openTask(session, 'overdue_payment');
  await advance(session, 'P150D');
  await session.get('/v1/receivables/aging');
}

export async function money(session) {
  for (const scenario of [paidInFull, returnedDeposit, pooled, takenBack, simulated, tasks, payees, overdue, aliases])
    await scenario(session);
}
