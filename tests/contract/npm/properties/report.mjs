// What a run found: each kind of violation with its smallest request, and the statuses that each operation returned.
import { Coverage } from '../coverage.mjs';
import { kKnown } from './known.mjs';

const cut = (text, length) => (text.length > length ? `${text.slice(0, length)}... (${text.length} characters)` : text);

/** Operations that a run does not bring to success, with the reason. */
const kWithoutSuccess = {
  payResidual: 'needs a residual that the round of payouts left',
  payPractice: 'needs an amount due to a practice that has an account',
  getImportAcknowledgment: 'needs an import of X12 837',
  deletePayerAlias: 'needs an alias that the service learned from a decision',
  deletePayeeAlias: 'needs an alias that the service learned from a decision',
  getPickupFile: 'needs a folder to pick files up from',
  retryPickupFile: 'needs a folder to pick files up from',
  approveRules: 'needs a second client and a bundle that waits',
};

export class Report {
  #coverage;
  #smallest = new Map();
  #fresh = [];
  #known = new Map();

  constructor(contract) {
    this.#coverage = new Coverage(contract);
  }

  key(operation, { rule, detail }) {
    return `${operation.id}: ${rule}: ${detail}`;
  }

  #knownEntry(key) {
    return kKnown.find(({ matches }) => matches.test(key));
  }

  isNew(operation, violation) {
    const key = this.key(operation, violation);
    return !this.#knownEntry(key) && !this.#fresh.includes(key);
  }

  count(operation, { answer, violations }) {
    if (answer) this.#coverage.add(operation, answer.status);
    for (const violation of violations) {
      const entry = this.#knownEntry(this.key(operation, violation));
      if (entry) this.#known.set(entry, (this.#known.get(entry) ?? 0) + 1);
    }
  }

  /** The last request that is kept for a kind is the smallest one that shrinking found. */
  keep(key, found) {
    this.#smallest.set(key, found);
  }

  found(key) {
    this.#fresh.push(key);
  }

  #printViolation(key) {
    const { sent, answer, violation } = this.#smallest.get(key);
    console.log(`\nVIOLATION ${key}`);
    console.log(`  ${sent.method} ${sent.target}`);
    for (const [name, value] of Object.entries(sent.headers).filter(([one]) => one !== 'Authorization'))
      console.log(`  ${name}: ${value}`);
    if (sent.body) console.log(`  body: ${cut(sent.body.toString('utf8'), 1500)}`);
    if (answer) console.log(`  answer: ${answer.status} ${answer.headers['content-type']} ${cut(answer.body, 600)}`);
    const { sent: value, returned } = violation;
    if (value !== undefined) console.log(`  sent ${JSON.stringify(value)}, returned ${JSON.stringify(returned)}`);
  }

  print(requests, seconds, seed) {
    this.#coverage.print();
    for (const id of this.#coverage.withoutSuccess())
      console.log(`no success of ${id}: ${kWithoutSuccess[id] ?? 'by chance'}`);
    for (const key of this.#fresh) this.#printViolation(key);
    for (const entry of kKnown)
      console.log(`known violation, ${this.#known.get(entry) ?? 0} times: ${entry.matches.source} (${entry.reason})`);
    const found = `${this.#fresh.length} new kinds of violations`;
    console.log(`\n${requests} requests in ${seconds.toFixed(1)} s, seed ${seed}: ${found}`);
  }

  failed() {
    return this.#fresh.length > 0;
  }
}
