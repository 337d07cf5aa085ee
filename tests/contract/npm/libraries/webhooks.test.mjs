// Stock verifiers accept deliveries of the service, and refuse changed, old and wrongly signed ones.
import './webcrypto.mjs';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import Stripe from 'stripe';
import { startReceiver } from './receiver.mjs';
import { startService } from './service.mjs';

const service = await startService();
const receiver = await startReceiver();
after(async () => {
  await receiver.stop();
  await service.stop();
});

const file = join(process.env.TIDEOVER_SOURCE_DIR, 'api/webhooks/test-vectors.json');
const { vectors } = JSON.parse(readFileSync(file, 'utf8'));
const otherSecret = vectors[0].secrets[0];
const { webhooks } = new Stripe('unused');
const refusedByStripe = (...delivery) =>
  assert.throws(() => webhooks.constructEvent(...delivery), Stripe.errors.StripeSignatureVerificationError);

const delivered = deliver();

/** A deposit, and the delivery of its event with the secret of the endpoint. */
async function deliver() {
  const authorization = `Bearer ${await service.token()}`;
  const post = async (path, body) => {
    const headers = { Authorization: authorization, 'Content-Type': 'application/json', 'Idempotency-Key': path };
    const response = await fetch(service.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(response.status, 200);
    return response.json();
  };
  const { secret } = await post('/v1/webhooks/endpoints', { url: receiver.url });
  const received_date = new Date().toISOString().slice(0, 10);
  const { deposit_id: id } = await post('/v1/deposits', { payer_id: 'SAMPLE-80', amount: 12.34, received_date });
  return { id, secret, ...(await receiver.next('deposit.received')) };
}

/** Runs `call` with a clock that is `seconds` ahead. */
function later(seconds, call) {
  const { now } = Date;
  Date.now = () => now() + seconds * 1000;
  try {
    return call();
  } finally {
    Date.now = now;
  }
}

test('stripe constructs the event of a delivery', async () => {
  const { id, secret, headers, body } = await delivered;
  const event = webhooks.constructEvent(body, headers['service-signature'], secret);
  assert.deepEqual([event.type, event.data.deposit_id], ['deposit.received', id]);
  webhooks.constructEvent(body.toString(), headers['service-signature'], secret);
});

test('stripe refuses deliveries that are changed, old or signed with another secret', async () => {
  const { secret, headers, body } = await delivered;
  const header = headers['service-signature'];
  refusedByStripe(body.toString().replace('12.34', '99.34'), header, secret);
  refusedByStripe(body, header.replace(/t=\d/, 't=2'), secret);
  refusedByStripe(body, header, otherSecret);
  later(200, () => webhooks.constructEvent(body, header, secret));
  later(400, () => refusedByStripe(body, header, secret));
});

test('standardwebhooks verifies a delivery', async () => {
  const { id, secret, headers, body } = await delivered;
  const event = new Webhook(secret).verify(body, headers);
  assert.deepEqual([event.type, event.data.deposit_id], ['deposit.received', id]);
  assert.equal(headers['webhook-id'], event.id);
});

test('standardwebhooks refuses deliveries that are changed, old or signed with another secret', async () => {
  const { secret, headers, body } = await delivered;
  const webhook = new Webhook(secret);
  const refused = (call) => assert.throws(call, WebhookVerificationError);
  refused(() => webhook.verify(body.toString().replace('12.34', '99.34'), headers));
  refused(() => webhook.verify(body, { ...headers, 'webhook-id': 'evt_other' }));
  const timestamp = String(Number(headers['webhook-timestamp']) + 1);
  refused(() => webhook.verify(body, { ...headers, 'webhook-timestamp': timestamp }));
  refused(() => new Webhook(otherSecret).verify(body, headers));
  later(200, () => webhook.verify(body, headers));
  later(400, () => refused(() => webhook.verify(body, headers)));
});

test('both accept the test vectors with each of their secrets', () => {
  for (const { id, secrets, timestamp, body, service_signature, webhook_signature } of vectors.slice(0, 3))
    later(timestamp - Math.floor(Date.now() / 1000), () => {
      const headers = { 'webhook-id': id, 'webhook-timestamp': `${timestamp}`, 'webhook-signature': webhook_signature };
      for (const secret of secrets) {
        webhooks.constructEvent(body, service_signature, secret);
        new Webhook(secret).verify(body, headers);
      }
    });
});
