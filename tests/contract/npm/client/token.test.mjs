// The access token: shared, renewed before it expires, and once after the service refuses it.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { TokenSource } from './dist/token.js';
import { clientOf, deposit, keyed, proxy } from './running.mjs';

const TOKEN = '/v1/oauth/token';
const expired = (path) =>
  ({ path, status: 401, body: { error: 'token_expired', message: 'The token has expired.', retryable: false } });
const sent = (path) => proxy.seen.filter((request) => request.path === path);

beforeEach(() => {
  proxy.seen.length = 0;
  proxy.faults.length = 0;
});

test('concurrent calls share one token', async () => {
  const { tideover } = clientOf(proxy.url);
  await Promise.all(Array.from({ length: 8 }, () => tideover.get('/v1/health')));
  await tideover.get('/v1/health');
  assert.equal(sent(TOKEN).length, 1);
  assert.equal(sent('/v1/health').length, 9);
});

test('a token is renewed a minute before it expires', async () => {
  let now = Date.now();
  const { tideover } = clientOf(proxy.url, { now: () => now });
  await tideover.get('/v1/health');
  now += 3_539_000;
  await tideover.get('/v1/health');
  assert.equal(sent(TOKEN).length, 1);
  now += 1_000;
  await tideover.get('/v1/health');
  assert.equal(sent(TOKEN).length, 2);
});

test('after token_expired the call is repeated with a new token and the same key, without a pause', async () => {
  const { tideover, pauses } = clientOf(proxy.url);
  proxy.faults.push(expired('/v1/deposits'));
  await tideover.post('/v1/deposits', { params: keyed('renewed'), body: deposit('renewed') });
  assert.equal(sent(TOKEN).length, 2);
  assert.deepEqual(sent('/v1/deposits').map((request) => request.key), ['renewed', 'renewed']);
  assert.deepEqual(pauses, []);
});

test('a second token_expired is an error', async () => {
  const { tideover } = clientOf(proxy.url);
  proxy.faults.push(expired('/v1/health'), expired('/v1/health'));
  await assert.rejects(tideover.get('/v1/health'), { status: 401, error: 'token_expired' });
  assert.equal(sent(TOKEN).length, 2);
  assert.equal(sent('/v1/health').length, 2);
});

test('calls that meet token_expired together obtain one new token', async () => {
  const { tideover } = clientOf(proxy.url);
  await tideover.get('/v1/events');
  for (let call = 0; call < 4; ++call) proxy.faults.push(expired('/v1/health'));
  await Promise.all(Array.from({ length: 4 }, () => tideover.get('/v1/health')));
  assert.equal(sent(TOKEN).length, 2);
});

test('a refusal of an old token does not end its successor', async () => {
  let issued = 0;
  const request = async () => ({ response: Response.json({ access_token: `token-${++issued}`, expires_in: 3600 }) });
  const tokens = new TokenSource({ clientId: 'cli_1', clientSecret: 'cs_1' }, request, Date.now);
  await tokens.current();
  tokens.discard('token-1');
  assert.equal((await tokens.current()).token, 'token-2');
  tokens.discard('token-1');
  assert.equal((await tokens.current()).token, 'token-2');
});

test('a token request whose response is lost is repeated', async () => {
  const { tideover, pauses } = clientOf(proxy.url);
  proxy.faults.push({ path: TOKEN, lose: true });
  await tideover.get('/v1/health');
  assert.equal(sent(TOKEN).length, 2);
  assert.equal(pauses.length, 1);
});

test('other refusals of a token are no reason to renew it', async () => {
  const { tideover } = clientOf(proxy.url, { scope: 'metadata:read' });
  await assert.rejects(tideover.get('/v1/events'), { status: 403, error: 'insufficient_scope' });
  assert.equal(sent(TOKEN).length, 1);
});
