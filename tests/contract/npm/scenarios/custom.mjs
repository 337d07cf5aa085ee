// What depends on the operator's rules, rails, folders and accounts.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startReceiver } from '../receiver.mjs';
import { adjudicate, advance, claim, deposit, funded, pathOf, remittance, review, today } from './money_path.mjs';
import { refused } from './session.mjs';

const lines = (cpt, count) => Array.from({ length: count }, () => ({ cpt, units: 1, amount: 1000 / count }));

async function importRows(session, rows) {
  const payload = Buffer.from(rows.map((one) => JSON.stringify(one)).join('\n')).toString('base64');
  const { job_id } = await session.post('/v1/imports/claims', { format: 'ndjson', payload });
  await session.until(`/v1/imports/claims/${job_id}`, ({ status }) => status === 'succeeded');
}

async function findings(session) {
  const faulty = await review(session, 'SAMPLE-80');
  await session.post('/v1/claims/reviews?explain=true', claim(session, 'SAMPLE-80'));
  const many = claim(session, 'SAMPLE-80', { service_lines: lines('99211', 50) });
  const { id } = await session.post('/v1/claims/reviews?explain=true', many);
  for (const review of [id, faulty.id]) await session.post(`/v1/reviews/${review}/replay`, {});
  const row = { ...claim(session, 'SAMPLE-80'), service_lines: lines('99211', 2) };
  await importRows(session, [row, claim(session, 'SAMPLE-80'),
    { ...claim(session, 'TEST-CARC-16'), service_lines: lines('XXXXX', 1) }]);
}

/** Terms with a fee by days, a hold and a reserve; the residual is due when the hold has ended. */
async function held(session) {
  const changes = { service_lines: lines('99213', 1) };
  const terms = await funded(session, { payer: 'SAMPLE-80', changes, rail: 'SAME_DAY' });
  const trace = session.name('TRC');
  const paid = { claim_identifier: terms.claim_identifier, status: '1', charge_amount: 1000, paid_amount: 790 };
  await session.post('/v1/remittances', remittance([paid], { trace, amount: 790, payer: 'SAMPLE-80' }));
  await session.post('/v1/deposits', deposit(790, trace, { payer_id: 'SAMPLE-80' }));
  await session.get(`${pathOf(terms)}/reconciliation`);
  await session.post(`${pathOf(terms)}/payouts`, undefined, { status: 409 });
  await advance(session, 'P3D');
  await session.post(`${pathOf(terms)}/payouts`);
  const canceled = await adjudicate(session, { payer: 'SAMPLE-80', changes });
  await session.patch(`${pathOf(canceled)}/funding`, { rail: 'SAME_DAY' });
  await session.post(`${pathOf(canceled)}/cancel`);
  await advance(session, 'P95D');
  await session.get(`${pathOf(terms)}/reconciliation`);
}

/** A month is closed; what took effect in it is posted to the first open day. */
async function closedPeriod(session) {
  const month = today().slice(0, 7);
  const path = `/v1/ledger/periods/${month}`;
  await session.post(`${path}/close`);
  const { claim_identifier } = await review(session, 'SAMPLE-80');
  const paid = { claim_identifier, status: '1', charge_amount: 1000, paid_amount: 50, billing_npi: '1999999984' };
  const trace = session.name('TRC');
  await session.post('/v1/remittances', remittance([paid],
    { trace, amount: 50, payer: 'SAMPLE-80', payee_npi: '1999999984' }));
  await session.post('/v1/deposits', deposit(50, trace, { payer_id: 'SAMPLE-80' }));
  const { now } = await session.get('/v1/sandbox/clock');
  await session.get(`/v1/ledger/statement?payee_npi=1999999984&from=${today()}&to=${now.slice(0, 10)}`);
  const [year, number] = month.split('-').map(Number);
  const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
  await session.post(`/v1/ledger/periods/${next}/close`);
  await session.post(`${path}/reopen`, undefined, refused(409, 'invalid_state'));
  await session.post(`/v1/ledger/periods/${next}/reopen`);
  await session.post('/v1/sandbox/clock', { set: '2020-01-01T00:00:00Z' }, refused(409, 'invalid_state'));
}

/** With an answer of its payer, a claim has a prediction from the tenant's own record. */
async function learned(session) {
  const asked = { service_lines: lines('99213', 1) };
  await session.until('/v1/quality/payers', ({ payers }) => payers.length > 0);
  const { id } = await review(session, 'SAMPLE-80', asked);
  await session.post(`/v1/reviews/${id}/replay`, {});
  await importRows(session, [claim(session, 'SAMPLE-80', asked)]);
}

/** What-if reviews with everything that reviews and terms can have. */
async function whatIf(session) {
  const tried = (payer, changes, patches) =>
    session.post('/v1/claims/reviews?what_if=true', { ...claim(session, payer, changes), patches });
  await tried('SAMPLE-80', { service_lines: lines('99213', 1) }, [{ label: 'the same' }]);
  await tried('SAMPLE-80', {}, [{ facility: 'F' }]);  // a rule divides by the number of lines
  await tried('SAMPLE-80', { service_lines: lines('99211', 2) }, [{ facility: 'F' }]);
  await tried('TEST-CARC-16', { service_lines: lines('XXXXX', 1) }, [{ facility: 'F' }]);
}

export async function pickedUp(session, folder) {
  const inbox = join(folder, 'pickup', 'inbox');
  const file = ['01,BANK1,SAMPLE,250604,0700,1,,,2/', '02,SAMPLE,BANK1,1,250604,0600,USD,2/', '03,0001234567,,010,,,/',
    '16,165,79000,0,REF-7,,OTHER/', '49,79000,3/', '98,79000,1,5/', '99,79000,1,7/', ''].join('\n');
  for (const [name, text] of [['one.bai', file], ['two.bai', file], ['bad.txt', 'nothing']]) {
    writeFileSync(join(inbox, name), text);
    await session.until('/v1/pickup/files', ({ data }) => data.some((one) => one.name === name && one.finished_at));
  }
  const { data } = await session.get('/v1/pickup/files');
  const bad = data.find(({ name }) => name === 'bad.txt');
  await session.get(`/v1/pickup/files/${bad.id}`);
  await session.post(`/v1/pickup/files/${bad.id}/retry`, undefined, { status: null });
  const { id } = data.find(({ name }) => name === 'one.bai');
  await session.post(`/v1/pickup/files/${id}/retry`, undefined, refused(409, 'invalid_state'));
}

/** An endpoint whose receiver says 410 again and again is disabled by the service. */
async function gone(session) {
  const receiver = await startReceiver(() => 410);
  try {
    const { id } = await session.post('/v1/webhooks/endpoints', { url: receiver.url, events: ['event.ping'] });
    const path = `/v1/webhooks/endpoints/${id}`;
    await session.post(`${path}/test`);
    await session.until(path, ({ disabled_reason }) => disabled_reason === 'gone');
    await session.until('/v1/events?type=webhook.endpoint_disabled', ({ data }) => data.length === 1);
    await session.post(`${path}/rotate-secret`, {});
    await session.patch(path, { description: 'Gone' });
  } finally {
    await receiver.stop();
  }
}

/** A terms rule fails: there are no terms to offer, and none to compare with those of another rail. */
async function withoutTerms(session) {
  const unavailable = refused(503, 'rules_unavailable');
  const { authorization_id } = await review(session, 'SAMPLE-80', { submitted_amount: 777 });
  const terms = (funding, expected) =>
    session.post('/v1/claims/adjudications', { authorization_id, funding }, expected);
  await session.post('/v1/funding/quote', { authorization_id }, unavailable);
  await terms({ rail: 'RTP', fallback: ['SAME_DAY'] }, unavailable);
  const made = await terms({ rail: 'RTP' });
  await session.patch(`${pathOf(made)}/funding`, { rail: 'SAME_DAY' }, unavailable);
}

/** A rule file that the ruleset does not list: the bundle is rejected. */
async function rejectedBundle(session, folder) {
  const file = join(folder, 'rules', 'denial', 'unlisted.lua');
  writeFileSync(file, 'return {}\n');
  await session.until('/v1/rules', ({ waiting }) => waiting?.reason);
  await session.get('/v1/rules/bundles');
  rmSync(file);
}

export async function custom(session, folder) {
  await findings(session);
  await held(session);
  await closedPeriod(session);
  await learned(session);
  await whatIf(session);
  await withoutTerms(session);
  await pickedUp(session, folder);
  await rejectedBundle(session, folder);
  await gone(session);
}
