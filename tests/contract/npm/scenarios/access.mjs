// Clients and their secrets, and the errors of tokens.
import { randomUUID } from 'node:crypto';

async function clients(session) {
  const { client_id, secrets } = await session.post('/v1/clients', { name: session.name('client'), scopes: ['claims:read'] });
  const path = `/v1/clients/${client_id}`;
  await session.get(path);
  await session.post(`${path}/rotate-secret`, { overlap_seconds: 60 });
  await session.post(`${path}/secrets/${secrets[0].id}/revoke`);
  await session.post(`${path}/secrets/sec_01M7WNTFJ00000000000000091/revoke`, undefined, { status: 404 });
  await session.patch(path, { status: 'disabled' });
  await session.get('/v1/clients/cli_01M7WNTFJ00000000000000099', { status: 404, error: 'not_found' });
}

async function tokens(session) {
  const { id, secret } = session.service.client;
  const issue = (changes, expected) => session.as('').post('/v1/oauth/token',
    { grant_type: 'client_credentials', client_id: id, client_secret: secret, ...changes }, expected);
  await issue({});
  await issue({ grant_type: 'password' }, { status: 400, error: 'unsupported_grant_type' });
  await issue({ scope: 'no:such' }, { status: 400, error: 'invalid_scope' });
  await issue({ client_secret: 'cs_test_wrong' }, { status: 401, error: 'invalid_client' });
  await session.as('').get('/v1/health', { status: 401, error: 'unauthorized' });
  await session.as('Bearer v1.sandbox.wrong').get('/v1/health', { status: 401, error: 'token_invalid' });
}

async function requests(session) {
  await session.get('/v1/no-such-route', { status: 404, error: 'route_not_found' });
  await session.remove('/v1/health', { status: 405, error: 'method_not_allowed' });
  await session.get('/v1/health', { status: 406, error: 'not_acceptable', headers: { Accept: 'text/html' } });
  await session.get(`/v1/health?${'x'.repeat(9000)}`, { status: 414, error: 'uri_too_long' });
  await session.get('/v1/health', { status: 431, error: 'headers_too_large', headers: { 'X-Long': 'x'.repeat(40_000) } });
  await session.get('/v1/reviews?cursor=nonsense', { status: 400, error: 'invalid_cursor' });
  await session.get('/v1/reviews?nonsense=1', { status: 400, error: 'invalid_parameter' });
  const key = { 'Idempotency-Key': randomUUID() };
  const deposit = { payer_id: 'SAMPLE-80', amount: 1, received_date: '2026-01-02' };
  await session.post('/v1/deposits', deposit, { headers: key });
  await session.post('/v1/deposits', deposit, { headers: key });
  await session.post('/v1/deposits', { ...deposit, amount: 2 }, { status: 422, error: 'idempotency_key_reused', headers: key });
  await session.post('/v1/deposits', deposit, { status: 400, error: 'invalid_idempotency_key', headers: { 'Idempotency-Key': 'ä' } });
  await session.post('/v1/deposits', undefined, { status: 400, error: 'malformed_json', body: Buffer.from('{') });
  await session.post('/v1/deposits', undefined,
    { status: 415, error: 'unsupported_media_type', body: Buffer.from('x'), headers: { 'Content-Type': 'text/plain' } });
}

export async function access(session) {
  await clients(session);
  await tokens(session);
  await requests(session);
}
