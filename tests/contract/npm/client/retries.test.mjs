// The client behind a proxy that loses, cuts and replaces responses.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createTideoverClient } from './dist/index.js';
import { DEFAULT_RETRY, pauseMs } from './dist/retry.js';
import { adjudicated, clientOf, deposit, keyed, proxy, service, tideover as direct } from './running.mjs';
import { eventually } from './service.mjs';

const DEPOSITS = '/v1/deposits';

const post = (client, number, params) => client.post(DEPOSITS, { body: deposit(number), ...(params && { params }) });
const sent = (path = DEPOSITS) => proxy.seen.filter((request) => request.path === path);
const keys = (path) => [...new Set(sent(path).map((request) => request.key))];
const refused = (status, error, retryable, headers) =>
  ({ path: DEPOSITS, status, headers, body: { error, message: 'Refused by the proxy.', retryable } });
const failed = (call) => call.then(assert.fail, (error) => error);

beforeEach(() => {
  proxy.seen.length = 0;
  proxy.faults.length = 0;
});

test('a POST whose response is lost is repeated with the same key and executed once', async () => {
  const { tideover, pauses } = clientOf(proxy.url);
  proxy.faults.push({ path: DEPOSITS, lose: true });
  const { response } = await post(tideover, 'lost', keyed('lost'));
  assert.equal(response.headers.get('Idempotent-Replayed'), 'true');
  assert.deepEqual(keys(), ['lost']);
  assert.equal(sent().length, 2);
  assert.equal(sent()[0].body, sent()[1].body);
  assert.equal(pauses.length, 1);
});

test('a generated key stays the same over attempts and differs between calls', async () => {
  const { tideover } = clientOf(proxy.url);
  proxy.faults.push({ path: DEPOSITS, lose: true }, { path: DEPOSITS, cut: true });
  await post(tideover, 'generated-1');
  assert.equal(sent().length, 3);
  assert.equal(keys().length, 1);
  assert.match(keys()[0], /^[\x21-\x7e]{16,255}$/);
  await post(tideover, 'generated-2');
  assert.equal(keys().length, 2);
});

test('a body that breaks off is repeated', async () => {
  const { tideover } = clientOf(proxy.url);
  proxy.faults.push({ path: DEPOSITS, cut: true });
  const { data } = await tideover.get(DEPOSITS);
  assert.ok(Array.isArray(data.data));
  assert.equal(sent().length, 2);
});

const LIMITED = 'an attempt without a response ends at the time limit and is repeated with the same key';
test(LIMITED, { timeout: 30_000 }, async () => {
  const { tideover } = clientOf(proxy.url, { timeoutMs: 1000 });
  await tideover.get(DEPOSITS);
  proxy.seen.length = 0;
  proxy.faults.push({ path: DEPOSITS, hang: true });
  await post(tideover, 'hang', keyed('hang'));
  assert.ok(sent().length > 1);
  assert.deepEqual(keys(), ['hang']);
});

test('when all attempts end without a response, the error has the key of the operation', async () => {
  const { tideover, pauses } = clientOf(proxy.url);
  for (let attempt = 0; attempt < 5; ++attempt) proxy.faults.push({ path: DEPOSITS, lose: true });
  const error = await failed(post(tideover, 'gone'));
  assert.deepEqual([error.status, error.error, error.retryable], [0, 'connection_failed', true]);
  assert.equal(sent().length, 5);
  assert.equal(pauses.length, 4);
  assert.deepEqual(keys(), [error.idempotencyKey]);
  const { response } = await post(tideover, 'gone', keyed(error.idempotencyKey));
  assert.equal(response.headers.get('Idempotent-Replayed'), 'true');
});

test('503 and 429 are repeated after at least Retry-After, in seconds or as a date', async () => {
  const now = () => Date.parse('2026-11-28T12:00:00Z');
  const { tideover, pauses } = clientOf(proxy.url, { now });
  proxy.faults.push(
    refused(503, 'service_unavailable', true, { 'Retry-After': '7' }),
    refused(429, 'rate_limited', true, { 'Retry-After': 'Sat, 28 Nov 2026 12:00:09 GMT' }),
  );
  await post(tideover, 'after', keyed('after'));
  assert.equal(pauses.length, 2);
  assert.ok(pauses[0] >= 7000 && pauses[0] <= 7500, `${pauses[0]}`);
  assert.ok(pauses[1] >= 9000 && pauses[1] <= 10000, `${pauses[1]}`);
  assert.deepEqual(sent().map((request) => request.key), ['after', 'after', 'after']);
});

test('the client does not wait longer than its limit', async () => {
  const { tideover, pauses } = clientOf(proxy.url);
  proxy.faults.push(refused(503, 'service_unavailable', true, { 'Retry-After': '3600' }));
  const error = await failed(post(tideover, 'long'));
  assert.equal(error.retryAfterMs, 3_600_000);
  assert.deepEqual(pauses, []);
});

test('what is not retryable is not repeated, whatever its status', async () => {
  const { tideover } = clientOf(proxy.url);
  for (const [status, code] of [[503, 'rules_unavailable'], [409, 'rail_rejected'], [400, 'validation_error']]) {
    proxy.seen.length = 0;
    proxy.faults.push(refused(status, code, false));
    const error = await failed(post(tideover, 'final'));
    assert.deepEqual([error.status, error.error], [status, code]);
    assert.equal(sent().length, 1);
  }
});

test('409 is repeated if it is retryable', async () => {
  const { tideover } = clientOf(proxy.url);
  proxy.faults.push(refused(409, 'idempotency_in_progress', true, { 'Retry-After': '1' }));
  await post(tideover, 'running', keyed('running'));
  assert.deepEqual(sent().map((request) => request.key), ['running', 'running']);
});

test('a gateway that answers without an error of the API is repeated for 502, not for 403', async () => {
  const { tideover } = clientOf(proxy.url);
  proxy.faults.push({ path: DEPOSITS, status: 502, headers: { 'Content-Type': 'text/html' }, body: '<html>' });
  await post(tideover, 'gateway-1');
  assert.equal(sent().length, 2);
  proxy.faults.push({ path: DEPOSITS, status: 403, headers: { 'Content-Type': 'text/html' }, body: '<html>' });
  const error = await failed(post(tideover, 'gateway-2'));
  assert.deepEqual([error.status, error.error, error.retryable], [403, 'unexpected_response', false]);
});

test('an unknown outcome of the rail is repeated with the same key until it is known', async () => {
  const { path } = await adjudicated('UNKNOWN-1', 'tok_timeout');
  const statusOf = async () => (await direct.get('/v1/settlements/{settlement_id}', { params: { path } })).data.status;
  const sleep = () => eventually('the settlement is funded', async () => (await statusOf()) === 'funded');
  const { tideover } = clientOf(proxy.url, { retry: { sleep } });
  const { data } = await tideover.post('/v1/settlements/{settlement_id}/confirm', { params: { path } });
  assert.equal(data.status, 'funded');
  const confirm = `/v1/settlements/${path.settlement_id}/confirm`;
  assert.equal(sent(confirm).length, 2);
  assert.equal(keys(confirm).length, 1);
});

test('an outcome of the rail that stays unknown is an error with the same key', async () => {
  const { tideover } = clientOf(proxy.url);
  for (let attempt = 0; attempt < 5; ++attempt) proxy.faults.push(refused(503, 'rail_outcome_unknown', true));
  const error = await failed(post(tideover, 'unknown'));
  assert.equal(error.error, 'rail_outcome_unknown');
  assert.deepEqual(keys(), [error.idempotencyKey]);
});

test('a call that is canceled while it waits sends nothing more', { timeout: 30_000 }, async () => {
  const { id: clientId, secret: clientSecret } = service.client;
  const retry = { baseDelayMs: 3_600_000, maxDelayMs: 3_600_000 };
  const tideover = createTideoverClient({ baseUrl: proxy.url, clientId, clientSecret, retry });
  proxy.faults.push(refused(503, 'service_unavailable', true));
  const cancel = new AbortController();
  const call = failed(tideover.get(DEPOSITS, { signal: cancel.signal }));
  await eventually('the first attempt', () => sent().length === 1);
  cancel.abort();
  assert.equal((await call).name, 'AbortError');
  assert.equal(sent().length, 1);
});

test('a call that is canceled before its response is not repeated', { timeout: 30_000 }, async () => {
  const { tideover, pauses } = clientOf(proxy.url);
  proxy.faults.push({ path: DEPOSITS, hang: true });
  const cancel = new AbortController();
  const call = failed(tideover.get(DEPOSITS, { signal: cancel.signal }));
  await eventually('the first attempt', () => sent().length === 1);
  cancel.abort();
  assert.equal((await call).name, 'AbortError');
  assert.deepEqual(pauses, []);
});

test('pauses double up to the limit and have jitter', () => {
  const policy = { ...DEFAULT_RETRY, baseDelayMs: 100, maxDelayMs: 1000 };
  assert.deepEqual([1, 2, 3, 4, 5].map((done) => pauseMs(policy, done, undefined, 0)), [50, 100, 200, 400, 500]);
  assert.equal(pauseMs(policy, 1, undefined, 0.5), 75);
  assert.deepEqual([0, 0.5].map((random) => pauseMs(policy, 1, 500, random)), [500, 550]);
  assert.equal(pauseMs(policy, 5, 900, 0.9), 1000);
});
