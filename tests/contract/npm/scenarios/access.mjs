// Clients and their secrets, and the errors of tokens.
import { randomUUID } from 'node:crypto';
import { refused } from './session.mjs';

async function clients(session) {
  const created = await session.post('/v1/clients', { name: session.name('client'), scopes: ['claims:read'] });
  const path = `/v1/clients/${created.client_id}`;
  await session.get(path);
  await session.post(`${path}/rotate-secret`, { overlap_seconds: 60 });
  await session.post(`${path}/secrets/${created.secrets[0].id}/revoke`);
  await session.post(`${path}/secrets/sec_01M7WNTFJ00000000000000091/revoke`, undefined, { status: 404 });
  await session.patch(path, { status: 'disabled' });
  await session.patch(path, { name: session.name('client') },
    refused(412, 'version_conflict', { headers: { 'If-Match': '"v9"' } }));
  await session.get('/v1/clients/cli_01M7WNTFJ00000000000000099', refused(404, 'not_found'));
}

async function tokens(session) {
  const { id, secret } = session.service.client;
  const issue = (changes, expected) => session.as('').post('/v1/oauth/token',
    { grant_type: 'client_credentials', client_id: id, client_secret: secret, ...changes }, expected);
  await issue({});
  await issue({ grant_type: 'password' }, refused(400, 'unsupported_grant_type'));
  await issue({ scope: 'no:such' }, refused(400, 'invalid_scope'));
  await issue({ client_secret: 'cs_test_wrong' }, refused(401, 'invalid_client'));
  await session.as('').get('/v1/health', refused(401, 'unauthorized'));
  await session.as('Bearer v1.sandbox.wrong').get('/v1/health', refused(401, 'token_invalid'));
}

async function deposits(session) {
  const post = (value, expected) => session.post('/v1/deposits', value, expected);
  const headers = { 'Idempotency-Key': randomUUID() };
  const deposit = { payer_id: 'SAMPLE-80', amount: 1, received_date: '2026-01-02' };
  await post(deposit, { headers });
  await post(deposit, { headers });
  await post({ ...deposit, amount: 2 }, refused(422, 'idempotency_key_reused', { headers }));
  await post(deposit, refused(400, 'invalid_idempotency_key', { headers: { 'Idempotency-Key': 'ä' } }));
  await post(undefined, refused(400, 'malformed_json', { body: Buffer.from('{') }));
  await post(undefined, refused(413, 'payload_too_large', { body: Buffer.alloc(2 * 1024 * 1024, 0x20) }));
  const text = { body: Buffer.from('x'), headers: { 'Content-Type': 'text/plain' } };
  await post(undefined, refused(415, 'unsupported_media_type', text));
}

async function requests(session) {
  await session.get('/v1/no-such-route', refused(404, 'route_not_found'));
  await session.remove('/v1/health', refused(405, 'method_not_allowed'));
  await session.get('/v1/health', refused(406, 'not_acceptable', { headers: { Accept: 'text/html' } }));
  await session.get(`/v1/health?${'x'.repeat(9000)}`, refused(414, 'uri_too_long'));
  await session.get('/v1/health', refused(431, 'headers_too_large', { headers: { 'X-Long': 'x'.repeat(40_000) } }));
  await session.get('/v1/reviews?cursor=nonsense', refused(400, 'invalid_cursor'));
  await session.get('/v1/reviews?nonsense=1', refused(400, 'invalid_parameter'));
}

export async function access(session) {
  await clients(session);
  await tokens(session);
  await requests(session);
  await deposits(session);
}
