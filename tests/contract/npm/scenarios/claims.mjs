// Reviews with every kind of finding, explained answers, and the moves of a claim's status.
import { claim, review } from './money_path.mjs';
import { refused } from './session.mjs';

const day = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const line = (cpt, amount, more = {}) => ({ cpt, units: 1, amount, ...more });

/** Denials and warnings of single lines, with what is at risk and how to mend it. */
const kFaulty = {
  date_of_service: day(-3),
  service_lines: [line('99213', 400), line('99213', 400, { modifier: 'ZZ' }), line('XXXXX', 200, { units: 400 })],
  diagnosis_codes: ['bad code'],
};
const kUnusual = { patient_paid: 25, is_encounter: true, is_test: true, pay_to_plan: true, paid_by_others: 100 };

async function reviews(session) {
  const denied = await review(session, 'TEST-CARC-16', kFaulty);
  await session.post('/v1/claims/reviews?explain=true', claim(session, 'SAMPLE-80', kFaulty));
  const clean = { ...kFaulty, service_lines: [line('99213', 1000)] };
  await session.post('/v1/claims/reviews?explain=true', claim(session, 'TEST-APPROVE', clean));
  await review(session, 'TEST-APPROVE', { claim_identifier: 'SCENARIO-CLAIM-LONGER-THAN-17' });
  await session.post(`/v1/reviews/${denied.id}/replay`, {});
  const unusual = await review(session, 'SAMPLE-80', kUnusual);
  await session.post(`/v1/reviews/${unusual.id}/replay`, {});
  const { authorization_id } = await review(session, 'SAMPLE-80');
  await session.post('/v1/claims/adjudications?explain=true', { authorization_id, funding: { rail: 'RTP' } });
  for (const query of ['claim_identifier=none', `claim_identifier=${denied.claim_identifier}`, 'payer_id=TEST-CARC-16',
    'denial_predicted=true'])
    await session.get(`/v1/reviews?${query}`);
}

async function statuses(session) {
  const { claim_identifier } = await review(session);
  const path = `/v1/claims/${claim_identifier}/status`;
  const update = (value, expected) => session.patch(path, value, expected);
  await update({ status: 'submitted', effective_at: day(0), reason_code: 'A1', note: 'Accepted there' });
  await update({ status: 'pending' }, refused(412, 'version_conflict', { headers: { 'If-Match': '"v9"' } }));
  await session.get(path);
  await update({ status: 'denied', source: 'payer', reason_code: '197' });
  await update({ status: 'received' }, refused(409, 'invalid_transition'));
  await session.get(`${path}/history?limit=1`);
  const noted = (await review(session)).claim_identifier;
  const sent = { status: 'submitted', effective_at: day(0), note: 'Sent on paper' };
  await session.patch(`/v1/claims/${noted}/status`, sent);
  await session.get('/v1/claims?status=denied');
  await session.get(`/v1/claims/${noted}`);
  await session.get('/v1/claims/no-such-claim', refused(404, 'claim_not_found'));
  await session.get('/v1/claims/%00', refused(404, 'route_not_found'));  // a path with a control character
}

export async function claims(session) {
  await reviews(session);
  await statuses(session);
}
