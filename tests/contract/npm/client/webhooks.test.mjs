// Verification of deliveries: fixed vectors, deliveries of a real service, and everything that must be refused.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { verifyWebhook, WebhookVerificationError } from './dist/index.js';
import { startReceiver } from './receiver.mjs';
import { deposit, keyed, tideover } from './running.mjs';

const receiver = await startReceiver();
after(() => receiver.stop());

const file = join(process.env.TIDEOVER_SOURCE_DIR, 'api/webhooks/test-vectors.json');
const { vectors } = JSON.parse(readFileSync(file, 'utf8'));
const vector = (name) => vectors.find((candidate) => candidate.name.startsWith(name));
const refused = (call) => assert.throws(call, WebhookVerificationError);

test('every test vector with an event is accepted with each of its secrets', () => {
  const withEvent = vectors.filter(({ body }) => body !== '');
  assert.ok(withEvent.length >= 3);
  for (const { service_signature: header, secrets, timestamp, body } of withEvent)
    for (const secret of secrets)
      assert.deepEqual(verifyWebhook(body, header, secret, { now: timestamp * 1000 }), JSON.parse(body));
});

test('a delivery of the service is accepted and has the type of its event', async () => {
  const { data: endpoint } = await tideover.post('/v1/webhooks/endpoints', {
    params: keyed('endpoint'), body: { url: receiver.url, events: ['deposit.received'] },
  });
  const { data } = await tideover.post('/v1/deposits', { params: keyed('hook'), body: deposit('hook', 12.34) });
  const { headers, body } = await receiver.next('deposit.received');
  const header = headers['service-signature'];
  const event = verifyWebhook(body, header, endpoint.secret);
  assert.equal(event.event, 'deposit.received');
  assert.deepEqual([event.data.deposit_id, event.data.amount], [data.deposit_id, 12.34]);
  assert.deepEqual(verifyWebhook(body.toString(), header, endpoint.secret), event);

  refused(() => verifyWebhook(body.toString().replace('12.34', '99.34'), header, endpoint.secret));
  refused(() => verifyWebhook(JSON.stringify(JSON.parse(body), null, 1), header, endpoint.secret));
  refused(() => verifyWebhook(body, header, endpoint.secret.replace('whsec_', '')));
  refused(() => verifyWebhook(body, header, vectors[0].secrets[0]));
  refused(() => verifyWebhook(body, header.replace(/t=\d/, 't=2'), endpoint.secret));
  refused(() => verifyWebhook(body, header, endpoint.secret, { now: Date.now() + 400_000 }));
});

test('a signature is accepted for 300 seconds before and after its time', () => {
  const { service_signature: header, secrets: [secret], timestamp, body } = vector('one secret');
  for (const seconds of [-300, 0, 300]) verifyWebhook(body, header, secret, { now: (timestamp + seconds) * 1000 });
  for (const seconds of [-301, 301])
    refused(() => verifyWebhook(body, header, secret, { now: (timestamp + seconds) * 1000 }));
  verifyWebhook(body, header, secret, { now: (timestamp + 900) * 1000, toleranceSeconds: 900 });
});

test('one of several signatures is enough and other schemes are ignored', () => {
  const { service_signature: header, secrets: [secret], timestamp, body } = vector('one secret');
  const now = timestamp * 1000;
  const [time, valid] = header.split(',');
  const wrong = `v1=${'0'.repeat(64)}`;
  verifyWebhook(body, `${time},${wrong},${valid},v2=x`, secret, { now });
  verifyWebhook(body, `${valid}, ${time}`, secret, { now });
  refused(() => verifyWebhook(body, `${time},${wrong}`, secret, { now }));
  refused(() => verifyWebhook(body, `${time},${valid.replace('v1=', 'v0=')}`, secret, { now }));
});

test('a header without a time or a signature is refused', () => {
  const { secrets: [secret], body, service_signature: header } = vector('one secret');
  const broken = [undefined, '', 'v1', 't=,v1=', 't=x,v1=00', header.split(',')[0], header.split(',')[1], `${header}0`];
  for (const value of broken) refused(() => verifyWebhook(body, value, secret, { now: 1795160415_000 }));
  const signed = createHmac('sha256', secret).update(`never.${body}`).digest('hex');
  refused(() => verifyWebhook(body, `t=never,v1=${signed}`, secret));
});
