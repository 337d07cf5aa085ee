import { createHmac, timingSafeEqual } from 'node:crypto';
import type { webhooks } from './openapi.js';

export type EventKind = keyof webhooks;
export type EventOf<K extends EventKind> = webhooks[K]['post']['requestBody']['content']['application/json'];

/** Narrow it by `event`. New kinds arrive within /v1: a `switch` needs a `default` that ignores them. */
export type WebhookEvent = { [K in EventKind]: EventOf<K> }[EventKind];

/** Thrown for a delivery that must be refused. Answer 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

export interface VerifyOptions {
  /** Largest difference between the time of the signature and `now`. */
  toleranceSeconds?: number;
  /** Unix time in milliseconds. */
  now?: number;
}

/**
 * Verifies a delivery and returns its event. `rawBody` has the bytes as they arrived, `signature` is the header
 * `Service-Signature`, `secret` is the secret of the endpoint as shown, with its prefix `whsec_`.
 */
export function verifyWebhook(
  rawBody: Uint8Array | string,
  signature: string | string[] | undefined,
  secret: string,
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): WebhookEvent {
  const { time, candidates } = schemesOf(signature);
  const expected = createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest();
  if (!candidates.some((candidate) => matches(candidate, expected)))
    throw new WebhookVerificationError('No signature of the delivery matches the secret and the body.');
  if (Math.abs(Math.floor(now / 1000) - Number(time)) > toleranceSeconds)
    throw new WebhookVerificationError(`The signature is not from the last ${toleranceSeconds} s.`);
  return JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)) as WebhookEvent;
}

function schemesOf(signature: string | string[] | undefined): { time: string; candidates: string[] } {
  const items = String(signature ?? '').split(',').map((item) => item.trim().split('=', 2));
  const time = items.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time)) throw new WebhookVerificationError('The header Service-Signature has no time.');
  return { time, candidates: items.flatMap(([name, value]) => (name === 'v1' && value ? [value] : [])) };
}

function matches(candidate: string, expected: Buffer): boolean {
  const given = Buffer.from(candidate, 'hex');
  return /^[0-9a-f]{64}$/.test(candidate) && timingSafeEqual(given, expected);
}
