import type { components } from './openapi.js';

type ErrorBody = components['schemas']['Error'];

/**
 * Codes of the API; `connection_failed` without a response; `not_modified` for 304, which only a call with
 * `If-None-Match` gets; `unexpected_response` for others without a body of the API.
 */
export type ErrorCode =
  ErrorBody['error'] | 'connection_failed' | 'not_modified' | 'unexpected_response' | (string & {});

/** A request that failed, as a value: the transport decides about retries before it throws. */
export interface Failure {
  /** HTTP status; 0 if no response arrived. */
  status: number;
  error: ErrorCode;
  message: string;
  /** Whether the same request, with the same key, can succeed later. */
  retryable: boolean;
  requestId?: string | undefined;
  details?: ErrorBody['details'];
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** Thrown by every call that does not end with a 2xx response. Branch on `error`, never on `message`. */
export class TideoverError extends Error {
  override readonly name = 'TideoverError';
  readonly status: number;
  readonly error: ErrorCode;
  readonly retryable: boolean;
  readonly requestId: string | undefined;
  readonly details: ErrorBody['details'];
  readonly retryAfterMs: number | undefined;
  /** Key of the POST or PATCH. Send it again to repeat the operation; a new key is a new operation. */
  readonly idempotencyKey: string | undefined;

  constructor(failure: Failure, idempotencyKey: string | undefined) {
    super(failure.message, { cause: failure.cause });
    this.status = failure.status;
    this.error = failure.error;
    this.retryable = failure.retryable;
    this.requestId = failure.requestId;
    this.details = failure.details;
    this.retryAfterMs = failure.retryAfterMs;
    this.idempotencyKey = idempotencyKey;
  }
}

// A gateway in front of the service answers without `retryable`.
const RETRYABLE_STATUS = new Set([408, 429, 500, 502, 503, 504]);

/** Describes a response that is not 2xx. Reads its body. */
export async function failureOf(response: Response, now: number): Promise<Failure> {
  const body = parsed(await response.text());
  return {
    status: response.status,
    error: body.error ?? (response.status === 304 ? 'not_modified' : 'unexpected_response'),
    message: body.message ?? `The response has status ${response.status} and no error of the API.`,
    retryable: body.retryable ?? RETRYABLE_STATUS.has(response.status),
    requestId: body.request_id ?? response.headers.get('X-Request-Id') ?? undefined,
    details: body.details,
    retryAfterMs: retryAfterMs(response.headers.get('Retry-After'), now),
  };
}

function parsed(text: string): Partial<ErrorBody> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The header has seconds or an HTTP date. */
function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
