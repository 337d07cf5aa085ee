import { setTimeout as delay } from 'node:timers/promises';
import type { Failure } from './errors.js';

export interface RetryPolicy {
  /** Attempts in all, the first included. */
  attempts: number;
  /** Longest pause before the second attempt. It doubles with every attempt. */
  baseDelayMs: number;
  /** Longest pause that the client waits for. A longer `Retry-After` ends the call with its error. */
  maxDelayMs: number;
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export const DEFAULT_RETRY: RetryPolicy = {
  attempts: 5,
  baseDelayMs: 500,
  maxDelayMs: 60_000,
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
};

export type Outcome = { response: Response; failure?: undefined } | { response?: undefined; failure: Failure };

/** Repeats `attempt` while its failure is retryable. Returns the last outcome. */
export async function withRetries(
  policy: RetryPolicy,
  signal: AbortSignal,
  attempt: () => Promise<Outcome>,
): Promise<Outcome> {
  for (let done = 1; ; ++done) {
    const outcome = await attempt();
    if (!outcome.failure?.retryable || done >= policy.attempts) return outcome;
    const pause = pauseMs(policy, done, outcome.failure.retryAfterMs, Math.random());
    if (pause > policy.maxDelayMs) return outcome;
    await policy.sleep(pause, signal);
  }
}

/** The pause after `done` attempts. `random` is in [0, 1): clients that failed together do not return together. */
export function pauseMs(policy: RetryPolicy, done: number, retryAfterMs: number | undefined, random: number): number {
  const backoff = Math.min(policy.baseDelayMs * 2 ** (done - 1), policy.maxDelayMs);
  if (retryAfterMs === undefined) return backoff * (0.5 + random / 2);
  // Jitter only adds here, as the service asks for at least this pause.
  return Math.min(retryAfterMs + backoff * random, Math.max(retryAfterMs, policy.maxDelayMs));
}
