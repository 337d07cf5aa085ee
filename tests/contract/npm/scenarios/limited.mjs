// A service that limits requests and payments, and lets a second operator approve rules.
import { join } from 'node:path';
import { claim, pathOf, review } from './money_path.mjs';
import { refused } from './session.mjs';

export const limitedSettings = (binary) => ({
  rules: { operator_tenant: 'default', promotion: 'by_command', approval: 'second_person' },
  rate_limits: { client: { token: { per_second: 1, burst: 8 } } },
  plugins: [
    { path: join(binary, 'plugins', 'payer_directory_file.so'), kind: 'payer_directory', id: 'file',
      config: { path: join(process.env.TIDEOVER_SOURCE_DIR, 'config', 'payers.jsonl') } },
    ...[['rtp', '10000'], ['same_day', '100000000']].map(([id, max_amount_cents]) => ({
      path: join(binary, 'plugins', `funding_rail_${id}.so`), kind: 'funding_rail', id, config: { max_amount_cents },
    })),
  ],
});

async function amounts(session) {
  const { authorization_id } = await review(session);
  const terms = (rail, expected) =>
    session.post('/v1/claims/adjudications', { authorization_id, funding: { rail } }, expected);
  await terms('RTP', refused(409, 'rail_limit_exceeded'));
  const made = await terms('SAME_DAY');
  await session.patch(`${pathOf(made)}/funding`, { rail: 'RTP' }, refused(409, 'rail_limit_exceeded'));
}

/** A second client approves what the first one filed. */
async function approvals(session) {
  const filed = await session.post('/v1/rules/shadow', { rule_id: 'denial.zero_charge' });
  await session.post('/v1/rules/approve', { bundle: filed.sha256 }, refused(409, 'invalid_state'));
  await session.as(await session.tokenOf()).post('/v1/rules/approve', { bundle: filed.sha256 });
  await session.get('/v1/rules');
  await session.get('/v1/rules/bundles');
  await session.post('/v1/claims/reviews', claim(session, 'SAMPLE-80'));
}

async function rates(session) {
  const { id, secret } = session.service.client;
  const body = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  for (let n = 0; n < 10; ++n) await session.as('').post('/v1/oauth/token', body, { status: null });
  await session.as('').post('/v1/oauth/token', body, refused(429, 'rate_limited'));
}

export async function limited(session) {
  await amounts(session);
  await approvals(session);
  await rates(session);
}
