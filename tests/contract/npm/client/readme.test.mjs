// The examples of the client's README run as they are printed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { endpoint } from './endpoint.js';
import { keyed, service, tideover } from './running.mjs';
import { eventually } from './service.mjs';

after(() => {
  endpoint.close();
  endpoint.closeAllConnections();
});

test('the first example funds an advance and lists its events', async () => {
  const { id, secret } = service.client;
  const env = { TIDEOVER_URL: service.baseUrl, TIDEOVER_CLIENT_ID: id, TIDEOVER_CLIENT_SECRET: secret };
  const { stdout } = await promisify(execFile)(process.execPath, ['start.js'], { env });
  assert.match(stdout, /^funded 640\.00$/m);
  assert.match(stdout, /^\d+ settlement\.funded$/m);
});

test('the endpoint accepts deliveries of the service and refuses others', async () => {
  await new Promise((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${endpoint.address().port}/`;
  const statuses = [];
  endpoint.prependListener('request', (_, response) => response.on('finish', () => statuses.push(response.statusCode)));
  const { data } = await tideover.post('/v1/webhooks/endpoints', { params: keyed('readme'), body: { url } });
  process.env.TIDEOVER_WEBHOOK_SECRET = data.secret;
  const { data: { data: [event] } } = await tideover.get('/v1/events');
  await tideover.post('/v1/events/{event_id}/redeliver', { params: keyed('redeliver', { event_id: event.id }) });
  await eventually('a delivery is accepted', () => statuses.includes(204));
  const headers = { 'Service-Signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` };
  assert.equal((await fetch(url, { method: 'POST', headers, body: '{}' })).status, 400);
});
