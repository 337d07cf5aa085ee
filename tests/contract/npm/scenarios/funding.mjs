// Every state of a settlement and its funding, and every refusal of the operations that change them.
import { adjudicate, advance, funded, pathOf, review, today } from './money_path.mjs';
import { refused } from './session.mjs';

const day = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const unknown = '/v1/settlements/stl_01M7WPEP1G0000000000000003';

/** A confirm that the rail refuses, then another rail. */
async function rejectedAndChanged(session) {
  const sent = await adjudicate(session, { rail: 'SAME_DAY', account: 'tok_ach_R03' });
  await session.post(`${pathOf(sent)}/confirm`, undefined, refused(409, 'rail_rejected'));
  await session.get(pathOf(sent));
  await session.patch(`${pathOf(sent)}/funding`, { rail: 'RTP' });
  await session.post(`${pathOf(sent)}/confirm`);
  await session.patch(`${pathOf(sent)}/funding`, { rail: 'SAME_DAY' }, refused(409, 'invalid_state'));
  await session.post(`${pathOf(sent)}/confirm`, undefined, refused(409, 'settlement_already_funded'));
  await session.post(`${pathOf(sent)}/cancel`, undefined, refused(409, 'invalid_state'));
  const fallback = { fallback: ['SAME_DAY'] };
  const rejected = await adjudicate(session, { rail: 'RTP', account: 'tok_suspended', funding: fallback });
  await session.post(`${pathOf(rejected)}/confirm`, undefined, refused(409, 'rail_rejected'));
  const later = await adjudicate(session, { account: 'tok_suspended', rail: 'FUTURE_DATE',
    funding: { desired_date: day(10), fallback: ['RTP'] } });
  await session.patch(`${pathOf(later)}/funding`, { desired_date: day(11) });
  await session.post(`${pathOf(later)}/cancel`);
}

/** Payments whose outcome is unknown, and the simulated answers of the rail. */
async function unknownOutcomes(session) {
  const silent = await adjudicate(session, { account: 'tok_timeout' });
  const path = `${pathOf(silent)}/confirm`;
  await session.post(path, undefined, refused(503, 'rail_outcome_unknown'));
  await session.until(pathOf(silent), ({ status }) => status === 'funded');
}

async function returned(session) {
  const sent = await funded(session, { rail: 'SAME_DAY' });
  const { funding } = await session.get(pathOf(sent));
  const transfer = `/v1/sandbox/transfers/${funding.transfer_id}`;
  await session.post(`${transfer}/reject`, { code: 'R03' }, refused(409, 'invalid_state'));
  await session.post(`${transfer}/settle`);
  await session.post(`${transfer}/return`, { code: 'R02' });
  await session.get(pathOf(sent));
  const final = await session.get(pathOf(await funded(session)));
  await session.post(`/v1/sandbox/transfers/${final.funding.transfer_id}/return`, { code: 'R02' },
    refused(409, 'invalid_state'));
  const again = await funded(session, { rail: 'SAME_DAY', account: 'tok_ach_return_R02' });
  await advance(session, 'P8D');
  await session.get(pathOf(again));
}

async function refusals(session) {
  const { authorization_id } = await review(session);
  const terms = (value, expected) => session.post('/v1/claims/adjudications', value, expected);
  const rail = { funding: { rail: 'RTP' } };
  await terms({ authorization_id: 'auth_01M7WPD88K0000000000000002', ...rail }, refused(400, 'validation_error'));
  await terms({ authorization_id, funding: { rail: 'RTP', desired_date: day(3) } },
    refused(400, 'invalid_desired_date'));
  await terms({ authorization_id, ...rail });
  await terms({ authorization_id, ...rail }, refused(409, 'authorization_already_used'));
  for (const [method, path] of [['GET', ''], ['POST', '/confirm'], ['POST', '/cancel'], ['POST', '/payouts']])
    await session.send(method, unknown + path, undefined, refused(404, 'settlement_not_found'));
  const paid = await funded(session);
  const { claim_identifier } = await session.get(pathOf(paid));
  const again = await review(session, 'TEST-APPROVE', { claim_identifier });
  const advanced = refused(409, 'claim_already_advanced');
  await terms({ authorization_id: again.authorization_id, ...rail }, advanced);
  await session.post('/v1/funding/quote', { authorization_id: again.authorization_id }, advanced);
  const declined = await adjudicate(session, { payer: 'TEST-DECLINE' });
  await session.post(`${pathOf(declined)}/confirm`, undefined, refused(409, 'invalid_state'));
}

/** Terms that a reviewer decides, and terms that nobody confirms. */
async function reviewed(session) {
  const waiting = await adjudicate(session, { payer: 'TEST-REVIEW' });
  await session.post(`${pathOf(waiting)}/confirm`, undefined, refused(409, 'manual_review_pending'));
  await session.get('/v1/settlements?status=pending_confirmation&limit=100');
  await session.get(`/v1/claims/${waiting.claim_identifier}`);
  const second = await adjudicate(session, { payer: 'TEST-REVIEW' });
  await session.patch(`${pathOf(second)}/funding`, { rail: 'SAME_DAY' });
  await session.post(`${pathOf(second)}/cancel`);
}

async function expired(session) {
  const { authorization_id, claim_identifier } = await review(session);
  const open = await adjudicate(session);
  await advance(session, 'P9D');
  await session.post(`${pathOf(open)}/confirm`, undefined, refused(409, 'invalid_state'));
  await session.post('/v1/claims/adjudications', { authorization_id, funding: { rail: 'RTP' } },
    refused(409, 'authorization_expired'));
  await session.post('/v1/funding/quote', { authorization_id }, refused(409, 'authorization_expired'));
  await session.get(`/v1/claims/${claim_identifier}`);
}

/** No rail moves the date of a strict tenant; one names the next date. */
async function strictQuote(session) {
  const strict = session.as(await session.tokenOf({ tenant: 'strict', profile: 'strict' }));
  const daysToSunday = 14 - new Date().getUTCDay();
  const { rails } = await strict.post('/v1/funding/quote', { amount: 640, desired_date: day(daysToSunday) });
  if (!rails.some(({ unavailable }) => unavailable?.next_effective_date)) throw new Error('no rail names a date');
}

async function quotes(session) {
  await session.post('/v1/funding/quote', { amount: 640 });
  const { authorization_id } = await review(session);
  await session.post('/v1/funding/quote', { authorization_id });
  await session.post('/v1/funding/quote', { amount: 50_000_000 });
  const used = await review(session);
  await session.post('/v1/claims/adjudications', { authorization_id: used.authorization_id, funding: { rail: 'RTP' } });
  await session.post('/v1/funding/quote', { authorization_id: used.authorization_id },
    refused(409, 'authorization_already_used'));
}

export async function funding(session) {
  for (const scenario of [rejectedAndChanged, unknownOutcomes, returned, refusals, reviewed, quotes, strictQuote,
    expired])
    await scenario(session);
  await session.get(`/v1/statements?from=${today()}&to=${today()}`);
}
