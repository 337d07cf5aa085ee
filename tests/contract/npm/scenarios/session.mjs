// A client of a running service that names what it expects. Every exchange is recorded for contract_exchanges.
import { randomUUID } from 'node:crypto';
import { logExchange } from '../exchange_log.mjs';
import { Http } from '../properties/http.mjs';
import { eventually, startService } from '../service.mjs';

export const kNpis = { servicer_npi: '1234567893', billing_npi: '1999999984' };
export const base64 = (text) => Buffer.from(text).toString('base64');

/** What a scenario expects of a request that is refused. */
export const refused = (status, error, more) => ({ status, error, ...more });

export class Session {
  #http;
  #token;
  #names;
  service;
  bodies = [];  // of all successful responses, with their operation's target

  /** With `contract`, the key of the first success of each operation is sent again with another body. */
  static async start({ contract, ...options }) {
    const service = await startService(options);
    return new Session(service, `Bearer ${await service.token()}`, { next: 1, contract, misused: new Set() });
  }

  constructor(service, token, names) {
    this.service = service;
    this.#http = new Http(service.baseUrl, 4);
    this.#token = token;
    this.#names = names;
  }

  /** The same service with another token, or without one. */
  as(token) {
    return new Session(this.service, token, this.#names);
  }

  /** The same data in a service that starts again, with the token of before: the options of `service.restart`. */
  async restarted(options) {
    this.close();
    return new Session(await this.service.restart(options), this.#token, this.#names);
  }

  /** A name that no other object of the session has. */
  name(prefix) {
    return `${prefix}-${this.#names.next++}`;
  }

  /**
   * The JSON value of the response, else its text. Throws unless it has `status` (200; null: any)
   * and `error`, if that is given.
   */
  async send(method, target, value, { status = 200, error, headers = {}, body } = {}) {
    const answer = await this.exchange(method, target, value, { headers, body });
    const isJson = /json/.test(answer.headers['content-type']) && !/ndjson/.test(answer.headers['content-type']);
    const found = isJson ? JSON.parse(answer.body) : answer.body;
    if ((status !== null && answer.status !== status) || (error && found.error !== error))
      throw new Error(`${method} ${target}: ${status} ${error ?? ''} expected, not ${answer.status} ${answer.body}`);
    if (answer.status === 200 && isJson) this.bodies.push(found);
    if (answer.status === 200) await this.#misuseKey(method, target, value, answer.key);
    return found;
  }

  async #misuseKey(method, target, value, key) {
    const { contract, misused } = this.#names;
    const operation = contract?.operationOf(method, target);
    if (!operation?.statuses.includes('422') || target.includes('what_if=true') || misused.has(operation.id)) return;
    misused.add(operation.id);
    await this.send(method, target, { ...value, other: true },
      refused(422, 'idempotency_key_reused', { headers: { 'Idempotency-Key': key } }));
  }

  /**
   * The response {status, headers, body (text), key}, whatever it is. A POST or PATCH gets a new idempotency key, unless
   * `headers` has one.
   */
  async exchange(method, target, value, { headers, body } = {}) {
    const bytes = body ?? (value === undefined ? undefined : Buffer.from(JSON.stringify(value)));
    const isWrite = method === 'POST' || method === 'PATCH';
    const sent = {
      ...(this.#token && { Authorization: this.#token }),
      ...(bytes && { 'Content-Type': 'application/json' }),
      ...(isWrite && { 'Idempotency-Key': randomUUID() }),
      ...headers,
    };
    const answer = await this.#http.send({ method, target, headers: sent, body: bytes }, 30);
    logExchange({ method, target }, answer);
    return { ...answer, key: sent['Idempotency-Key'] };
  }

  /** A token of a new client: {role (admin), tenant (default), profile of a new tenant}. */
  async tokenOf(client) {
    const { id, secret } = await this.service.createClient(client);
    const answer = await this.as('').post('/v1/oauth/token',
      { grant_type: 'client_credentials', client_id: id, client_secret: secret });
    return `Bearer ${answer.access_token}`;
  }

  get(target, expected) {
    return this.send('GET', target, undefined, expected);
  }
  post(target, value, expected) {
    return this.send('POST', target, value, expected);
  }
  patch(target, value, expected) {
    return this.send('PATCH', target, value, expected);
  }
  remove(target, expected) {
    return this.send('DELETE', target, undefined, expected);
  }

  /** GET until `holds` accepts the value. */
  until(target, holds) {
    return eventually(target, async () => {
      const value = await this.get(target);
      return holds(value) && value;
    });
  }

  get count() {
    return this.#http.count;
  }

  close() {
    this.#http.close();
  }
}
