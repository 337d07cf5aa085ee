// The client against a real service: from a review to a payout, pages, replays and errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TideoverError, toAmount, toCents } from './dist/index.js';
import { adjudicated, clientOf, deposit, keyed, service, tideover, today } from './running.mjs';

test('a claim goes from its review to the payout of its residual with exact cents', async () => {
  const { review, adjudication, path } = await adjudicated('PATH-1');
  assert.equal(toCents(review.expected_reimbursement.expected), 80000n);
  const { data: funded } = await tideover.post('/v1/settlements/{settlement_id}/confirm', {
    params: keyed('path-confirm', path),
  });
  assert.equal(funded.status, 'funded');
  assert.equal(toCents(funded.funded_amount), toCents(adjudication.terms.advance_amount));
  const paid = toAmount(79010n);
  await tideover.post('/v1/deposits', { params: keyed('path-deposit'), body: deposit('path', paid) });
  await tideover.post('/v1/remittances', {
    params: keyed('path-remittance'),
    body: {
      payer_id: 'SAMPLE-80', trace_number: 'TRACE-path', payment_date: today(), payment_amount: paid,
      claims: [{ claim_identifier: 'PATH-1', status: '1', charge_amount: 1000, paid_amount: paid }],
    },
  });
  const { data: posted } = await tideover.get('/v1/settlements/{settlement_id}/reconciliation', { params: { path } });
  const due = toCents(posted.payer_payment) - toCents(posted.advance_recovered) - toCents(posted.fee_collected);
  assert.equal(toCents(posted.payer_payment), 79010n);
  assert.equal(toCents(posted.residual_due), due);
  await tideover.post('/v1/settlements/{settlement_id}/payouts', { params: keyed('path-payout', path) });
  const { data: settlement } = await tideover.get('/v1/settlements/{settlement_id}', { params: { path } });
  assert.equal(settlement.settlement_id, adjudication.settlement_id);
});

test('a list iterates over all pages', async () => {
  const numbers = ['page-1', 'page-2', 'page-3', 'page-4', 'page-5'];
  const ids = [];
  for (const number of numbers) {
    const { data } = await tideover.post('/v1/deposits', { params: keyed(number), body: deposit(number) });
    ids.push(data.deposit_id);
  }
  const urls = [];
  const { tideover: watched } = clientOf(service.baseUrl, {
    fetch: (url, init) => {
      urls.push(String(url));
      return fetch(url, init);
    },
  });
  const found = [];
  const query = { limit: 2, payer_id: 'SAMPLE-80' };
  for await (const row of watched.list('/v1/deposits', { params: { query } })) found.push(row.deposit_id);
  assert.equal(new Set(found).size, found.length);
  assert.deepEqual(ids.filter((id) => !found.includes(id)), []);
  const pages = urls.filter((url) => url.includes('/v1/deposits'));
  assert.equal(pages.length, Math.ceil(found.length / 2));
  assert.ok(pages.every((url) => url.includes('limit=2') && url.includes('payer_id=SAMPLE-80')));
});

test('a list reads no page that the loop does not reach', async () => {
  let requests = 0;
  const { tideover: watched } = clientOf(service.baseUrl, {
    fetch: (url, init) => {
      requests += String(url).includes('/v1/events');
      return fetch(url, init);
    },
  });
  for await (const event of watched.list('/v1/events', { params: { query: { limit: 1 } } })) {
    assert.equal(event.sequence, 1);
    break;
  }
  assert.equal(requests, 1);
});

test('a repeated key returns the first response', async () => {
  const request = () => tideover.post('/v1/deposits', { params: keyed('replay'), body: deposit('replay') });
  const first = await request();
  const second = await request();
  assert.equal(first.response.headers.get('Idempotent-Replayed'), null);
  assert.equal(second.response.headers.get('Idempotent-Replayed'), 'true');
  assert.deepEqual(second.data, first.data);
});

test('an error has code, status, request id, details and key', async () => {
  const call = tideover.post('/v1/deposits', { params: keyed('faulty'), body: { payer_id: 'SAMPLE-80' } });
  const error = await call.then(assert.fail, (thrown) => thrown);
  assert.ok(error instanceof TideoverError);
  assert.deepEqual([error.status, error.error, error.retryable], [400, 'validation_error', false]);
  assert.match(error.requestId, /^req_/);
  assert.deepEqual(error.details.missing.sort(), ['amount', 'received_date']);
  assert.ok(error.message.length > 0);
  assert.equal(error.idempotencyKey, 'faulty');
});

test('a key that was used with other content is no retry', async () => {
  const { tideover: client, pauses } = clientOf(service.baseUrl);
  await client.post('/v1/deposits', { params: keyed('reused'), body: deposit('reused') });
  const other = client.post('/v1/deposits', { params: keyed('reused'), body: deposit('reused', 11) });
  await assert.rejects(other, { status: 422, error: 'idempotency_key_reused', retryable: false });
  assert.deepEqual(pauses, []);
});

test('wrong credentials are an error of the first call, without the secret', async () => {
  const { tideover: stranger } = clientOf(service.baseUrl, { clientSecret: 'cs_test_wrong' });
  const error = await stranger.get('/v1/health').then(assert.fail, (thrown) => thrown);
  assert.deepEqual([error.status, error.error], [401, 'invalid_client']);
  assert.ok(!JSON.stringify({ ...error, message: error.message }).includes('cs_test_wrong'));
});

test('a scope limits the token', async () => {
  const { tideover: limited } = clientOf(service.baseUrl, { scope: 'metadata:read' });
  await limited.get('/v1/metadata/payers');
  await assert.rejects(limited.get('/v1/events'), { status: 403, error: 'insufficient_scope' });
});

test('a statement is returned as text', async () => {
  const query = { from: today(), to: today() };
  const headers = { Accept: 'text/csv' };
  const { data, response } = await tideover.get('/v1/statements', { params: { query }, headers, parseAs: 'text' });
  assert.match(response.headers.get('Content-Type'), /^text\/csv/);
  assert.equal(typeof data, 'string');
});
