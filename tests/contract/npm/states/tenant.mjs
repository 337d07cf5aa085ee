// A tenant of a running service, and the steps that bring its objects into a state.
import { randomUUID } from 'node:crypto';
import { eventually } from '../service.mjs';

const kNpis = { servicer_npi: '1234567893', billing_npi: '1999999984' };
let claims = 0;

export class Tenant {
  #http;
  #token;

  constructor(http, token, name) {
    this.name = name;
    this.#http = http;
    this.#token = `Bearer ${token}`;
  }

  /** Sends a request, a POST or PATCH with a new key. Returns {status, headers, body (text), value (JSON)}. */
  async send(method, target, value, headers = {}) {
    const all = {
      Authorization: this.#token,
      ...(value !== undefined && { 'Content-Type': 'application/json' }),
      ...(['POST', 'PATCH'].includes(method) && { 'Idempotency-Key': randomUUID() }),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(all).filter(([, text]) => text !== undefined));
    const body = value === undefined ? undefined : Buffer.from(JSON.stringify(value));
    const answer = await this.#http.send({ method, target, headers: sent, body }, 60);
    return { ...answer, value: answer.headers['content-type']?.includes('json;') || answer.body.startsWith('{')
      ? parsed(answer.body) : undefined };
  }

  async #succeed(method, target, value) {
    const answer = await this.send(method, target, value);
    if (answer.status !== 200)
      throw new Error(`${method} ${target} ${JSON.stringify(value) ?? ''}: ${answer.status} ${answer.body}`);
    return answer.value;
  }
  get(target) { return this.#succeed('GET', target); }
  post(target, value) { return this.#succeed('POST', target, value); }
  patch(target, value) { return this.#succeed('PATCH', target, value); }

  /** The body of a review of a claim of its own. Its cents select nothing. */
  claim(changes = {}) {
    const name = `ST-${++claims}`;
    return {
      claim_identifier: name, chart_identifier: `CH-${name}`, ...kNpis, patient_primary_payor_id: 'SAMPLE-80',
      submitted_amount: 100.1 + (claims % 300), ...changes,
    };
  }

  /** Reviews a claim and adjudicates it: {id, claim, charge, body}. `id` is of the settlement, `body` the review. */
  async offer({ rail = 'RTP', account = 'tok_ok', ...changes } = {}) {
    const body = this.claim(changes);
    const { authorization_id } = await this.post('/v1/claims/reviews', body);
    const { settlement_id: id } = await this.post('/v1/claims/adjudications',
      { authorization_id, funding: { rail }, payout_account_token: account });
    return { id, claim: body.claim_identifier, charge: body.submitted_amount, body };
  }

  confirm({ id }) {
    return this.post(`/v1/settlements/${id}/confirm`);
  }

  /** An offer that was confirmed: {id, claim, charge, transfer, ...}. */
  async funded(options) {
    const offer = await this.offer(options);
    const { funding } = await this.confirm(offer);
    return { ...offer, transfer: funding.transfer_id };
  }

  /** An offer whose confirmation is refused with `error`. */
  async refused(options, error) {
    const offer = await this.offer(options);
    const answer = await this.send('POST', `/v1/settlements/${offer.id}/confirm`);
    if (answer.value.error !== error) throw new Error(`expected ${error}, received ${answer.body}`);
    const { funding } = await this.get(`/v1/settlements/${offer.id}`);
    return { ...offer, transfer: funding.transfer_id };
  }

  /** The remittance of an outcome and, if it has one, the deposit. */
  async pay({ id }, outcome) {
    await this.post('/v1/sandbox/remittances', { settlement_id: id, outcome });
    if (['paid', 'short', 'overpaid'].includes(outcome))
      await this.post('/v1/sandbox/deposits', { settlement_id: id, outcome });
  }

  advance(duration) {
    return this.post('/v1/sandbox/clock', { advance: duration });
  }

  async today() {
    return (await this.get('/v1/sandbox/clock')).now.slice(0, 10);
  }

  /** The open task of a kind about an object, as soon as it exists. */
  task(kind, object) {
    return eventually(`a task ${kind} about ${object}`, async () => {
      const { data } = await this.get(`/v1/tasks?status=open&kind=${kind}&limit=100`);
      return data.find(({ object_id: id }) => object === undefined || id === object);
    });
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
