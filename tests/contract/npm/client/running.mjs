// The service of one test file, a proxy before it and clients.
import { after } from 'node:test';
import { createTideoverClient } from './dist/index.js';
import { startProxy } from './proxy.mjs';
import { startService } from './service.mjs';

export const service = await startService();
export const proxy = await startProxy(service.baseUrl);
after(async () => {
  await proxy.stop();
  await service.stop();
});

/** A client that does not wait for real time between attempts, unless options do. `pauses` lists what it would wait. */
export function clientOf(baseUrl, options = {}) {
  const pauses = [];
  const sleep = async (ms) => void pauses.push(ms);
  const { id: clientId, secret: clientSecret } = service.client;
  const retry = { sleep, ...options.retry };
  return { tideover: createTideoverClient({ baseUrl, clientId, clientSecret, ...options, retry }), pauses };
}

export const { tideover } = clientOf(service.baseUrl);

export const today = () => new Date().toISOString().slice(0, 10);

/** Parameters with an Idempotency-Key, and with a path if one is given. */
export const keyed = (key, path) => ({ header: { 'Idempotency-Key': key }, ...(path && { path }) });

/** A claim up to its adjudication. */
export async function adjudicated(name, token = 'tok_ok') {
  const { data: review } = await tideover.post('/v1/claims/reviews', {
    params: keyed(`${name}-review`),
    body: {
      claim_identifier: name, chart_identifier: `CHART-${name}`, servicer_npi: '1234567893', billing_npi: '1999999984',
      patient_primary_payor_id: 'SAMPLE-80', submitted_amount: 1000,
    },
  });
  const { data } = await tideover.post('/v1/claims/adjudications', {
    params: keyed(`${name}-adjudication`),
    body: { authorization_id: review.authorization_id, funding: { rail: 'RTP' }, payout_account_token: token },
  });
  return { review, adjudication: data, path: { settlement_id: data.settlement_id } };
}

/** A deposit as a request. It has no `external_id`: only the Idempotency-Key makes a repetition the same deposit. */
export const deposit = (number, amount = 10) =>
  ({ payer_id: 'SAMPLE-80', amount, received_date: today(), trace_number: `TRACE-${number}` });
