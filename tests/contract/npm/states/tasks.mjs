// Tasks: each kind while it is open, and closed ones.
import { eventually } from '../service.mjs';
import { cells } from './tasks_cells.mjs';

const kDecisions = ['approve', 'decline', 'paid', 'not_paid', 'accept', 'accept_short', 'accept_over', 'assign_payer',
  'release', 'distinct', 'write_off', 'keep', 'resolved'];

const path = ({ id }, rest = '') => `/v1/tasks/${id}${rest}`;

async function observe(tenant, subject) {
  const { status: code, value } = await tenant.send('GET', path(subject));
  if (code === 404) return 'absent';
  if (value.status === 'closed') return 'closed';
  return `${value.kind} ${value.votes.length > 0 ? 'with a vote' : 'open'}`;
}

async function decide(tenant, subject, decision) {
  const { proposals } = (await tenant.send('GET', path(subject))).value;
  const fitting = proposals?.find((one) => one.decision === decision) ?? proposals?.[0];
  const proposal = decision === 'assign_payer' ? 'SAMPLE-80' : fitting?.proposal ?? 'none';
  const takes = decision.startsWith('accept') || decision === 'assign_payer';
  return tenant.send('POST', path(subject, '/decide'),
    { decision, reason: 'State tables', ...(takes && { proposal }) });
}

const taskOf = async (tenant, kind, object) => ({ id: (await tenant.task(kind, object)).task_id });

const inReview = async (tenant) => {
  const { id } = await tenant.offer({ patient_primary_payor_id: 'TEST-REVIEW' });
  return taskOf(tenant, 'manual_review', id);
};

/** An advance whose outcome the rail cannot tell. */
async function fundingUnknown(tenant) {
  const subject = await tenant.refused({ rail: 'FUTURE_DATE', account: 'do:throw' }, 'rail_outcome_unknown');
  return { settlement: subject };
}

/** For states whose tasks open once the clock was moved. */
const opensAfter = (duration, kind) => async (tenant, subjects) => {
  await tenant.advance(duration);
  for (const subject of subjects) Object.assign(subject, await taskOf(tenant, kind, subject.settlement.id));
};

/** The advances are paid in the end, and the payouts of their residuals have no known outcome again. */
async function payoutsUnknown(tenant, subjects) {
  await opensAfter('P1D', 'funding_unknown')(tenant, subjects);
  for (const subject of subjects) {
    await decide(tenant, subject, 'paid');
    await tenant.pay(subject.settlement, 'paid');
    await tenant.send('POST', `/v1/settlements/${subject.settlement.id}/payouts`);
  }
  await opensAfter('P1D', 'payout_unknown')(tenant, subjects);
}

async function payoutFailed(tenant) {
  const settlement = await tenant.funded({ rail: 'SAME_DAY' });
  await tenant.pay(settlement, 'paid');
  const { transfer_id } = await tenant.post(`/v1/settlements/${settlement.id}/payouts`);
  await tenant.post(`/v1/sandbox/transfers/${transfer_id}/return`, { code: 'R02' });
  return taskOf(tenant, 'payout_failed', settlement.id);
}

async function payoutTakenBack(tenant) {
  const settlement = await tenant.funded();
  await tenant.pay(settlement, 'paid');
  await tenant.post(`/v1/settlements/${settlement.id}/payouts`);
  await tenant.post('/v1/sandbox/remittances', { settlement_id: settlement.id, outcome: 'taken_back' });
  return taskOf(tenant, 'payout_taken_back', settlement.id);
}

const advanced = (options) => async (tenant) => ({ settlement: await tenant.funded(options) });

let numbers = 0;
const number = () => `ST-T-${++numbers}`;

const remittance = async (tenant, claim, amount, changes = {}) => (await tenant.post('/v1/remittances', {
  payer_id: 'SAMPLE-80', trace_number: number(), payment_date: await tenant.today(), payment_amount: amount,
  claims: [{ status: '1', charge_amount: amount, paid_amount: amount, ...claim }], ...changes,
})).remittance_id;

const deposit = async (tenant, amount, changes = {}) => (await tenant.post('/v1/deposits', {
  payer_id: 'SAMPLE-80', amount, received_date: await tenant.today(), external_id: number(), ...changes,
})).deposit_id;

/** Money without a trace number, and the advance that it may pay. */
async function depositUnmatched(tenant) {
  await tenant.funded();
  return taskOf(tenant, 'deposit_unmatched', await deposit(tenant, 55.5 + ++numbers));
}

/** The same, with two advances of which one fits. */
async function depositProposed(tenant) {
  const submitted_amount = 300.5 + ++numbers;
  const [one] = [await tenant.funded({ submitted_amount }), await tenant.funded({ submitted_amount })];
  const { expected_payment } = await tenant.get(`/v1/settlements/${one.id}/reconciliation`);
  return taskOf(tenant, 'deposit_unmatched', await deposit(tenant, expected_payment));
}

async function remittanceUnbalanced(tenant) {
  const { claim, charge } = await tenant.funded();
  const id = await remittance(tenant, { claim_identifier: claim, charge_amount: charge }, 20, { payment_amount: 21 });
  return taskOf(tenant, 'remittance_unbalanced', id);
}

/** A payment above the charge: {id}, and what was posted about it. */
async function matchAmbiguous(tenant) {
  const { claim, charge } = await tenant.funded();
  const trace_number = number();
  const id = await remittance(tenant, { claim_identifier: claim, charge_amount: charge }, charge + 5, { trace_number });
  await deposit(tenant, charge + 5, { trace_number });
  return taskOf(tenant, 'match_ambiguous', id);
}

async function traceReused(tenant) {
  const trace_number = number();
  const ids = [];
  for (const amount of [40, 30]) {
    const { claim, charge } = await tenant.funded();
    ids.push(await remittance(tenant, { claim_identifier: claim, charge_amount: charge }, amount, { trace_number }));
  }
  return taskOf(tenant, 'trace_reused', ids[1]);
}

async function depositDuplicate(tenant) {
  const { claim, charge } = await tenant.funded();
  const trace_number = number();
  await remittance(tenant, { claim_identifier: claim, charge_amount: charge }, 60, { trace_number });
  await deposit(tenant, 60, { trace_number });
  return taskOf(tenant, 'deposit_duplicate', await deposit(tenant, 60, { trace_number }));
}

/** A remittance with a line below zero, which no estimate uses. */
async function learningSetAside(tenant) {
  const body = tenant.claim({ submitted_amount: 1000 });
  await tenant.post('/v1/claims/reviews', body);
  const id = await remittance(tenant, {
    claim_identifier: body.claim_identifier, charge_amount: 1000,
    service_lines: [{ cpt: '99213', charge_amount: -0.01, paid_amount: -0.01 }],
  }, 0);
  return taskOf(tenant, 'learning_set_aside', id);
}

async function ruleFailing(tenant, world) {
  const operator = await world.tenant('doubtful', 'default');
  await eventually('the rule is in shadow mode', async () => {
    const { claim_identifier: name } = tenant.claim();
    await tenant.post('/v1/claims/reviews', tenant.claim({ claim_identifier: `FAIL-${name}` }));
    return (await operator.get('/v1/rules/denial.zero_charge')).mode === 'shadow';
  });
  return taskOf(operator, 'rule_failing', 'denial.zero_charge');
}

const closed = (make, decision) => async (tenant, world) => {
  const subject = await make(tenant, world);
  const answer = await decide(tenant, subject, decision);
  if (answer.status !== 200) throw new Error(`${decision}: ${answer.status} ${answer.body}`);
  return subject;
};

async function undone(tenant) {
  const subject = await closed(matchAmbiguous, 'accept_over')(tenant);
  await tenant.post(path(subject, '/undo'), { reason: 'State tables' });
  return subject;
}

const open = (kind, text, make, more = {}) => ({ [kind]: { text, make, seen: `${kind} open`, ...more } });

const states = {
  ...open('manual_review', 'A reviewer decides about terms', inReview),
  ...open('funding_unknown', 'The rail cannot tell whether it paid an advance', fundingUnknown,
    { service: 'doubtful', then: opensAfter('P1D', 'funding_unknown') }),
  ...open('payout_unknown', 'The rail cannot tell whether it paid a residual', fundingUnknown,
    { service: 'doubtful', then: payoutsUnknown }),
  ...open('payout_failed', 'A payout was refused or returned', payoutFailed),
  ...open('payout_taken_back', 'The payer took back money that was paid out', payoutTakenBack),
  ...open('rail_disagreement', 'The rail does not know a payment that it accepted',
    advanced({ rail: 'FUTURE_DATE', account: 'do:wrong_key' }), { then: opensAfter('P10D', 'rail_disagreement') }),
  ...open('deposit_unmatched', 'No match for a deposit, no proposal', depositUnmatched),
  'proposed deposit': { text: '`deposit_unmatched`, two advances fit', make: depositProposed,
    seen: 'deposit_unmatched open' },
  ...open('remittance_unbalanced', 'The sums of a remittance do not agree', remittanceUnbalanced),
  ...open('match_ambiguous', 'A payment exceeds the charge', matchAmbiguous),
  ...open('overdue_payment', 'The payer has not paid', advanced(),
    { then: opensAfter('P140D', 'overdue_payment') }),
  ...open('trace_reused', 'Two remittances have one trace number', traceReused),
  ...open('deposit_duplicate', 'A deposit seems to repeat another one', depositDuplicate),
  ...open('learning_set_aside', 'A record is unusable for learning', learningSetAside),
  ...open('rule_failing', 'A rule failed too often', ruleFailing,
    { service: 'doubtful', tenant: 'default', shared: true }),
  ...open('write_off', 'A receivable is to be written off, no proposal', advanced(),
    { service: 'doubtful', then: opensAfter('P365D', 'write_off') }),
  'one vote': { text: '`funding_unknown` with two-person decisions, another client has voted `paid`',
    service: 'careful', caller: 'colleague', seen: 'funding_unknown with a vote', make: fundingUnknown,
    then: async (tenant, subjects) => {
      await opensAfter('P1D', 'funding_unknown')(tenant, subjects);
      for (const subject of subjects) await decide(tenant, subject, 'paid');
    } },
  'own review': { text: '`manual_review` with two-person decisions, the client opened it itself', service: 'careful',
    seen: 'manual_review open', make: inReview },
  closed: { text: 'A reviewer has decided', seen: 'closed', make: closed(inReview, 'approve') },
  'closed match': { text: 'A reviewer has accepted a match', seen: 'closed',
    make: closed(matchAmbiguous, 'accept_over') },
  undone: { text: 'The same, undone', seen: 'closed', make: undone },
  ended: { text: 'The service has closed the task', seen: 'closed',
    make: async (tenant) => {
      const { id } = await tenant.offer({ patient_primary_payor_id: 'TEST-REVIEW' });
      const subject = await taskOf(tenant, 'manual_review', id);
      await tenant.post(`/v1/settlements/${id}/cancel`);
      return subject;
    } },
  foreign: { text: 'Of another tenant', caller: 'foreign', seen: 'absent', make: inReview },
};

const operations = {
  get: { operation: 'getTask', label: 'Get', call: (tenant, subject) => tenant.send('GET', path(subject)) },
  undo: { operation: 'undoTask', label: 'Undo',
    call: (tenant, subject) => tenant.send('POST', path(subject, '/undo'), { reason: 'State tables' }) },
};
for (const decision of kDecisions)
  operations[decision] = { operation: 'decideTask', label: `\`${decision}\``,
    call: (tenant, subject) => decide(tenant, subject, decision) };

export const tasks = {
  title: 'Tasks', parameter: 'task_id', states, operations, observe, cells,
  values: [
    [['components', 'schemas', 'TaskKind'], ['payment_unexpected']],
    [['components', 'schemas', 'Task', 'properties', 'status']],
  ],
  dash: '400 validation_error',
  intro: `The state of a task is its kind while it is open. The columns from \`approve\` on are decisions, with a reason
and, where they take one, the first proposal of the task. A dash is 400 \`validation_error\`: the kind does not allow
the decision.

Not in the table is \`payment_unexpected\`: such a task opens only after a database was restored from a backup. It
allows \`resolved\`.`,
};
