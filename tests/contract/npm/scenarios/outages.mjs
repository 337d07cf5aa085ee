// Rails that fail, and a service that starts again with other settings: without a rail, and in the other environment.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adjudicate, funded, pathOf, review } from './money_path.mjs';
import { refused, Session } from './session.mjs';

const practice = '/v1/payees/1999999984';

/** `FAULT` does what its script says, `BROKEN` gives no valid plan. */
const rails = (binary, folder) => [
  { path: join(binary, 'fault_plugins', 'fault_rail.so'), kind: 'funding_rail', id: 'fault',
    config: { folder, final_on_accept: '1' } },
  { path: join(binary, 'broken_plugins', 'broken_rail.so'), kind: 'funding_rail', id: 'broken',
    config: { release_path: join(folder, 'release') } },
];

/** An advance that its payer has paid: a residual is due. */
async function paidUp(session, rail) {
  const terms = await funded(session, { payer: 'SAMPLE-80', rail });
  for (const kind of ['deposits', 'remittances'])
    await session.post(`/v1/sandbox/${kind}`, { settlement_id: terms.settlement_id, outcome: 'paid' });
  return terms;
}

/** Residuals that the rail refuses and does not answer; the advances before them were paid. */
async function residuals(session, folder) {
  const [refusedOne, silentOne] = [await paidUp(session, 'FAULT'), await paidUp(session, 'FAULT')];
  writeFileSync(join(folder, 'submit.script'), 'behind 2\nrefuse R03\nthrow\n');
  const pay = (terms, expected) => session.post(`${pathOf(terms)}/payouts`, undefined, expected);
  await pay(refusedOne, refused(409, 'rail_rejected'));
  await pay(silentOne, refused(503, 'rail_outcome_unknown'));
  await session.get(`${pathOf(refusedOne)}/reconciliation`);
  await session.until(`${pathOf(silentOne)}/reconciliation`, ({ payouts: [one] }) => one.status !== 'unknown');
}

async function returned(session) {
  const terms = await paidUp(session, 'SAME_DAY');
  const { transfer_id } = await session.post(`${pathOf(terms)}/payouts`);
  const transfer = `/v1/sandbox/transfers/${transfer_id}`;
  await session.post(`${transfer}/settle`);
  await session.post(`${transfer}/return`, { code: 'R02' });
  await session.get(`${pathOf(terms)}/reconciliation`);
}

/** Events are published a moment after the response. */
async function payoutEvents(session) {
  for (const type of ['payout.rejected', 'payout.unknown', 'payout.returned'])
    await session.until(`/v1/events?type=${type}`, ({ data }) => data.length > 0);
}

/** No plan of the rail: terms over it can neither be made nor chosen. */
async function withoutPlan(session) {
  const changes = { submitted_amount: 1 };
  const { authorization_id } = await review(session, 'SAMPLE-80', changes);
  const unavailable = refused(503, 'rail_unavailable');
  await session.post('/v1/claims/adjudications', { authorization_id, funding: { rail: 'BROKEN' } }, unavailable);
  const terms = await adjudicate(session, { payer: 'SAMPLE-80', changes });
  await session.patch(`${pathOf(terms)}/funding`, { rail: 'BROKEN' }, unavailable);
}

/** Payments over a rail that the service does not have any more. */
async function withoutRail(session) {
  await session.post(`${practice}/account`, { payout_account_token: 'tok_ok', rail: 'FAULT' });
  const due = await paidUp(session, 'FAULT');
  const open = await adjudicate(session, { payer: 'SAMPLE-80', rail: 'FAULT' });
  const later = await session.restarted({ without: ['fault'] });
  for (const path of [`${pathOf(open)}/confirm`, `${pathOf(due)}/payouts`, `${practice}/payouts`])
    await later.post(path, undefined, refused(503, 'rail_unavailable'));
  return later;
}

async function otherEnvironment(session) {
  const settings = { environment: 'production', funding: { allow_simulated_rails: true } };
  const later = await session.restarted({ settings });
  const { id, secret } = later.service.client;
  await later.get('/v1/health', refused(403, 'environment_mismatch'));
  await later.as('').post('/v1/oauth/token',
    { grant_type: 'client_credentials', client_id: id, client_secret: secret }, refused(400, 'unauthorized_client'));
  return later;
}

/** Returns the number of requests. */
export async function outages(binary) {
  const folder = mkdtempSync(join(tmpdir(), 'tideover-rails-'));
  mkdirSync(join(folder, 'book'));
  const started = await Session.start({ plugins: rails(binary, join(folder, 'book')) });
  let session = started;
  try {
    await residuals(session, join(folder, 'book'));
    await returned(session);
    await payoutEvents(session);
    await withoutPlan(session);
    session = await withoutRail(session);
    session = await otherEnvironment(session);
  } finally {
    session.close();
    await session.service.stop();
    rmSync(folder, { recursive: true });
  }
}
