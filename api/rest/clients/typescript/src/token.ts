import type { components } from './openapi.js';
import type { Failure } from './errors.js';
import type { Outcome } from './retry.js';

export interface Credentials {
  clientId: string;
  clientSecret: string;
  /** Scopes separated by blanks. Without it the token has all scopes of the client. */
  scope?: string;
}

export type TokenOutcome = { token: string; failure?: undefined } | { token?: undefined; failure: Failure };

const RENEW_BEFORE_MS = 60_000;

/** The access token of a client. Concurrent calls share one token request. */
export class TokenSource {
  #held: { token: string; renewAt: number } | undefined;
  #pending: Promise<TokenOutcome> | undefined;
  readonly #request: (body: string) => Promise<Outcome>;
  readonly #now: () => number;
  readonly #body: string;

  /** `request` sends a form to the token endpoint. */
  constructor(credentials: Credentials, request: (body: string) => Promise<Outcome>, now: () => number) {
    this.#request = request;
    this.#now = now;
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    });
    if (credentials.scope !== undefined) form.set('scope', credentials.scope);
    this.#body = form.toString();
  }

  async current(): Promise<TokenOutcome> {
    if (this.#held && this.#now() < this.#held.renewAt) return { token: this.#held.token };
    this.#pending ??= this.#obtain().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  /** Forgets `token`, unless another call has renewed it already. */
  discard(token: string): void {
    if (this.#held?.token === token) this.#held = undefined;
  }

  async #obtain(): Promise<TokenOutcome> {
    const requestedAt = this.#now();
    const { response, failure } = await this.#request(this.#body);
    if (failure) return { failure };
    const { access_token: token, expires_in } = (await response.json()) as components['schemas']['Token'];
    const lifetimeMs = expires_in * 1000;
    this.#held = { token, renewAt: requestedAt + Math.max(lifetimeMs - RENEW_BEFORE_MS, lifetimeMs / 2) };
    return { token };
  }
}
