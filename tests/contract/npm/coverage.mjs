// Which documented statuses of which operations occurred.

/** Statuses that the service reserves or that need a fault of its machine. */
const kReserved = { 429: 'reserved', 500: 'needs a fault inside the service', 503: 'needs an overload or a stop' };

const kConcurrent = 'its only conflict is the same request at the same time, or with one key twice';
const kFallback = 'a build without the API reference, or a path below a document';
const kRest = 'its scenario is in tests/rest';
const kOpen = 'no test causes it yet';
/** Documented statuses that no scenario causes: {operation: {status: reason}}. */
const kKnownGaps = {
  getChangelog: { 403: 'needs a token of the other environment' },
  ...Object.fromEntries(['getReference', 'getReferenceScript', 'listGuides'].map((id) => [id, { 404: kFallback }])),
  ...Object.fromEntries(['reviewClaim', 'startImport', 'postDepositFile', 'postRemittance', 'redeliverEvent',
    'createClient', 'updateClient', 'revokeClientSecret', 'rotateWebhookSecret', 'setPayeeAccount',
    'simulateDeposit', 'simulateRemittance', 'settleSimulatedTransfer'].map((id) => [id, { 409: kConcurrent }])),
  replayReview: { 409: 'needs data of an earlier version' },
  changeFunding: { 412: kRest },
  updateWebhookEndpoint: { 409: kConcurrent, 412: kRest },
  replayEvents: { 200: kRest, 409: kConcurrent, 422: kOpen },
  getImportAcknowledgment: { 200: kRest },
  deletePayerAlias: { 200: kRest },
  deletePayeeAlias: { 200: kRest },
  rejectSimulatedTransfer: { 200: kOpen, 422: kOpen },
};

export class Coverage {
  #counts = new Map();
  #contract;

  constructor(contract) {
    this.#contract = contract;
  }

  add({ id }, status) {
    const counts = this.#counts.get(id) ?? {};
    counts[status] = (counts[status] ?? 0) + 1;
    this.#counts.set(id, counts);
  }

  /** Operations that were called and never returned 200. */
  withoutSuccess() {
    return [...this.#counts].filter(([, counts]) => !counts[200]).map(([id]) => id);
  }

  /** Pairs without an occurrence that are not known, as "operation: status". */
  gaps() {
    return this.#contract.operations.flatMap(({ id, statuses }) => statuses
      .filter((status) => !kReserved[status] && !kKnownGaps[id]?.[status] && !this.#counts.get(id)?.[status])
      .map((status) => `${id}: ${status}`));
  }

  /** A line per operation: documented statuses with counts, a gap as "-"; then those that only `default` documents. */
  print() {
    let hit = 0;
    let total = 0;
    const gaps = [];
    console.log('operation                     documented status: occurrences | by default');
    for (const { id, statuses } of this.#contract.operations) {
      const counts = this.#counts.get(id) ?? {};
      const shown = statuses.map((status) => `${status}: ${counts[status] ?? '-'}`).join('  ');
      const others = Object.keys(counts).filter((status) => !statuses.includes(status))
        .map((status) => `${status}: ${counts[status]}`);
      console.log(`${id.padEnd(28)}  ${shown} | ${others.join('  ')}`);
      const wanted = statuses.filter((status) => !kReserved[status]);
      const missing = wanted.filter((status) => !counts[status]);
      total += wanted.length;
      hit += wanted.length - missing.length;
      if (missing.length > 0) gaps.push(`${id}: ${missing.join(' ')}`);
    }
    console.log(`\n${hit} of ${total} pairs of operation and documented status occurred. Not counted: ${
      Object.entries(kReserved).map(([status, reason]) => `${status} (${reason})`).join(', ')}.`);
    for (const gap of gaps) console.log(`gap ${gap}`);
  }
}
