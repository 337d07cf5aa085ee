import { randomUUID } from 'node:crypto';
import { failureOf, TideoverError } from './errors.js';
import { DEFAULT_RETRY, withRetries } from './retry.js';
import type { Outcome, RetryPolicy } from './retry.js';
import { TokenSource } from './token.js';
import type { Credentials } from './token.js';

export interface TransportOptions extends Credentials {
  /** Address of the service, without a path. */
  baseUrl: string;
  /** Limit of one attempt until the headers of the response have arrived, for JSON until its end. */
  timeoutMs?: number;
  retry?: Partial<RetryPolicy>;
  fetch?: typeof globalThis.fetch;
  now?: () => number;
}

/** One request as it is sent in every attempt. */
interface Call {
  url: string;
  method: string;
  headers: Headers;
  body?: Uint8Array | string | undefined;
  signal: AbortSignal;
}

// The service ends a request after 30 s by default.
const TIMEOUT_MS = 40_000;
const KEY = 'Idempotency-Key';

/** Returns a `fetch` that adds token and key, and repeats. It returns only 2xx responses, else throws TideoverError. */
export function createTransport(options: TransportOptions): (request: Request) => Promise<Response> {
  const policy = { ...DEFAULT_RETRY, ...options.retry };
  const exchange = exchanger(options);
  const requestToken = (body: string) => exchange(tokenCall(options.baseUrl, body));
  const tokens = new TokenSource(options, requestToken, options.now ?? Date.now);
  return async (request) => {
    const call = await callOf(request);
    const { response, failure } = await withRetries(policy, call.signal, () => authorized(tokens, exchange, call));
    if (failure) throw new TideoverError(failure, call.headers.get(KEY) ?? undefined);
    return response;
  };
}

/** Fixes body and key before the first attempt, so that every attempt is the same request. */
async function callOf(request: Request): Promise<Call> {
  const headers = new Headers(request.headers);
  const writes = request.method === 'POST' || request.method === 'PATCH';
  if (writes && !headers.has(KEY)) headers.set(KEY, randomUUID());
  const body = writes && request.body !== null ? new Uint8Array(await request.arrayBuffer()) : undefined;
  return { url: request.url, method: request.method, headers, body, signal: request.signal };
}

function tokenCall(baseUrl: string, body: string): Call {
  const headers = new Headers({ 'Content-Type': 'application/x-www-form-urlencoded' });
  const url = `${baseUrl.replace(/\/$/, '')}/v1/oauth/token`;
  // Calls share the token, so that the signal of one call does not end the request of all.
  return { url, method: 'POST', headers, body, signal: new AbortController().signal };
}

type Exchange = (call: Call) => Promise<Outcome>;

async function authorized(tokens: TokenSource, exchange: Exchange, call: Call): Promise<Outcome> {
  for (let renewed = false; ; renewed = true) {
    const { token, failure } = await tokens.current();
    if (failure) return { failure };
    call.headers.set('Authorization', `Bearer ${token}`);
    const outcome = await exchange(call);
    const refused = outcome.failure?.error === 'token_expired' || outcome.failure?.error === 'token_invalid';
    if (!refused || renewed) return outcome;
    tokens.discard(token);
  }
}

/** Sends a call once. Only an abort by the caller throws. */
function exchanger(options: TransportOptions): Exchange {
  const { fetch = globalThis.fetch, now = Date.now, timeoutMs = TIMEOUT_MS } = options;
  return async ({ url, method, headers, body, signal }) => {
    signal.throwIfAborted();
    // AbortSignal.any does not exist in Node.js 18.
    const limit = new AbortController();
    const abort = () => limit.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(() => limit.abort(new Error(`No response within ${timeoutMs} ms.`)), timeoutMs);
    try {
      const init = { method, headers, redirect: 'manual' as const, signal: limit.signal };
      const response = await fetch(url, body === undefined ? init : { ...init, body });
      return response.ok ? { response: await complete(response) } : { failure: await failureOf(response, now()) };
    } catch (cause) {
      signal.throwIfAborted();
      const message = `No response of ${method} ${new URL(url).pathname}: ${reasonOf(cause)}`;
      return { failure: { status: 0, error: 'connection_failed', message, retryable: true, cause } };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  };
}

/** Reads a JSON body to its end: a connection that drops within the body is repeated like one that drops before it. */
async function complete(response: Response): Promise<Response> {
  if (!/[/+]json\b/.test(response.headers.get('Content-Type') ?? '')) return response;
  const { status, statusText, headers } = response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error && cause.cause.message ? cause.cause.message : cause.message;
}
